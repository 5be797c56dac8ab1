#include "CTagLib.h"
#include "DescriptorStream.h"

#include <taglib/apetag.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/unknownframe.h>

#include <cstring>
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

class Handing {
public:
    Handing(taglib_item_handler handler, void *context) : handler(handler), context(context) {}

    void handOver(const ID3v2::Tag &tag) const {
        for (const ID3v2::Frame *frame : tag.frameList()) {
            const ByteVector id = frame->frameID();
            const std::string name(id.data(), id.size());
            const bool isWanted = name[0] == 'T' || name == "APIC" || name.compare(0, 3, "PIC") == 0;
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
            } else if (item.type() == APE::Item::Binary) {
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

    taglib_item_handler handler;
    void *context;
};

}

int taglib_read_mpeg(int descriptor, taglib_item_handler handler, void *context) {
    try {
        DescriptorStream stream(descriptor);
        RawFrames frames;
        MPEG::File file(&stream, &frames, false);
        const Handing handing(handler, context);
        if (file.hasID3v2Tag()) handing.handOver(*file.ID3v2Tag());
        if (file.hasAPETag()) handing.handOver(*file.APETag());
        if (file.hasID3v1Tag()) handing.handOver(*file.ID3v1Tag());
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
