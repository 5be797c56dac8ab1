#include "CTagLib.h"
#include "DescriptorStream.h"
#include "PicturelessStream.h"

#include <taglib/apetag.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/unknownframe.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

using namespace TagLib;

namespace {

/// Has the name that a factory needs for what it is handed, which is protected.
class NamingHeader : public ID3v2::Frame {
public:
    using ID3v2::Frame::Header;
};

/// Leaves all frames as bytes: TagLib drops texts that are not quite right, and follows chapters within chapters until
/// the stack is full.
class RawFrames : public ID3v2::FrameFactory {
protected:
    bool updateFrame(NamingHeader::Header *header) const override {
        if (++count > 20000) throw std::length_error("too many frames");
        // Zeros shrink to a thousandth, and TagLib unpacks whatever is there.
        if (header->compression()) compressed += header->frameSize();
        if (compressed > 64 << 10) throw std::length_error("too much to unpack");
        return false;
    }

private:
    mutable unsigned count = 0;
    mutable unsigned long compressed = 0;
};

template <class... Place>
std::unique_ptr<DescriptorStream> opened(bool withPictures, Place... place) {
    if (withPictures) return std::make_unique<DescriptorStream>(place...);
    return std::make_unique<PicturelessStream>(place...);
}

/// A stretch of a file in which an ID3v2 tag looks for its bytes.
class Stretch : public File {
public:
    explicit Stretch(IOStream *stream) : File(stream) {}

    Tag *tag() const override { return nullptr; }
    AudioProperties *audioProperties() const override { return nullptr; }
    bool save() override { return false; }
};

class Handing {
public:
    Handing(bool withPictures, bool withLyrics, taglib_item_handler handler, void *context)
        : withPictures(withPictures), withLyrics(withLyrics), handler(handler), context(context) {}

    void handOver(const ID3v2::Tag &tag) const {
        for (const ID3v2::Frame *frame : tag.frameList()) {
            const ByteVector id = frame->frameID();
            const std::string name(id.data(), id.size());
            const bool isPicture = name == "APIC" || name.compare(0, 3, "PIC") == 0;
            const bool isOther = name[0] == 'T' || name == "RVA2" || name == "RGAD";
            const bool isLyrics = name == "USLT" || name == "SYLT" || name == "ULT" || name == "SLT";
            const bool isWanted = isPicture ? withPictures : isLyrics ? withLyrics : isOther;
            const auto raw = dynamic_cast<const ID3v2::UnknownFrame *>(frame);
            if (isWanted && raw) handOver(TAGLIB_ID3V2, name, raw->data());
        }
    }

    void handOver(const APE::Tag &tag) const {
        for (const auto &entry : tag.itemListMap()) {
            const std::string name = entry.first.to8Bit(true);
            const APE::Item &item = entry.second;
            if (item.type() == APE::Item::Text) {
                for (const String &value : item.values()) handOver(TAGLIB_APE, name, value.data(String::UTF8));
            } else if (item.type() == APE::Item::Binary && withPictures) {
                handOver(TAGLIB_APE, name, item.binaryData());
            }
        }
    }

    void handOver(const ID3v1::Tag &tag) const {
        // As TagLib takes them for Latin-1, these are the bytes of the file.
        handOver(TAGLIB_ID3V1, "title", tag.title().data(String::Latin1));
        handOver(TAGLIB_ID3V1, "artist", tag.artist().data(String::Latin1));
        handOver(TAGLIB_ID3V1, "album", tag.album().data(String::Latin1));
        handOverNumber("year", tag.year());
        handOverNumber("track", tag.track());
        handOverNumber("genre", tag.genreNumber());
    }

private:
    void handOver(taglib_origin origin, const std::string &name, const ByteVector &bytes) const {
        const taglib_item item = {origin, name.c_str(), bytes.data(), bytes.size()};
        handler(context, &item);
    }

    void handOverNumber(const char *name, unsigned int number) const {
        const std::string digits = std::to_string(number);
        handOver(TAGLIB_ID3V1, name, ByteVector(digits.c_str(), static_cast<unsigned int>(digits.size())));
    }

    bool withPictures, withLyrics;
    taglib_item_handler handler;
    void *context;
};

}

int taglib_read_mpeg(
    int descriptor, bool with_pictures, bool with_lyrics, taglib_item_handler handler, void *context
) {
    try {
        const auto stream = opened(with_pictures, descriptor);
        RawFrames frames;
        MPEG::File file(stream.get(), &frames, false);
        const Handing handing(with_pictures, with_lyrics, handler, context);
        if (file.hasID3v2Tag()) handing.handOver(*file.ID3v2Tag());
        if (file.hasAPETag()) handing.handOver(*file.APETag());
        if (file.hasID3v1Tag()) handing.handOver(*file.ID3v1Tag());
        return 0;
    } catch (...) {
        return -1;
    }
}

int taglib_read_id3v2(
    int descriptor, int64_t offset, int64_t length, bool with_pictures, bool with_lyrics, taglib_item_handler handler,
    void *context
) {
    try {
        const auto stream = opened(with_pictures, descriptor, offset, length);
        RawFrames frames;
        Stretch stretch(stream.get());
        const ID3v2::Tag tag(&stretch, 0, &frames);
        Handing(with_pictures, with_lyrics, handler, context).handOver(tag);
        return 0;
    } catch (...) {
        return -1;
    }
}

size_t taglib_genre(int number, char *target, size_t capacity) {
    try {
        const std::string name = ID3v1::genre(number).to8Bit(true);
        if (name.size() > capacity) return 0;
        std::memcpy(target, name.data(), name.size());
        return name.size();
    } catch (...) {
        return 0;
    }
}
