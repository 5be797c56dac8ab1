#include "CTagLib.h"
#include "DescriptorStream.h"
#include "PicturelessStream.h"

#include <taglib/id3v1genres.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/unknownframe.h>

#include <cstring>
#include <memory>
#include <set>
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
std::unique_ptr<TagStream> opened(bool withPictures, Place... place) {
    if (withPictures) return std::make_unique<TagStream>(place...);
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

bool isWanted(const std::string &id, bool withPictures, bool withLyrics) {
    if (id == "APIC" || id.compare(0, 3, "PIC") == 0) return withPictures;
    if (id == "USLT" || id == "SYLT" || id == "ULT" || id == "SLT") return withLyrics;
    static const std::set<std::string> others = {"RVA2", "RGAD", "COMM", "COM", "POPM", "POP", "UFID", "UFI"};
    return id[0] == 'T' || others.count(id) > 0;
}

void handOver(
    const ID3v2::Tag &tag, bool withPictures, bool withLyrics, taglib_frame_handler handler, void *context
) {
    for (const ID3v2::Frame *frame : tag.frameList()) {
        const ByteVector name = frame->frameID();
        const std::string id(name.data(), name.size());
        const auto raw = dynamic_cast<const ID3v2::UnknownFrame *>(frame);
        if (!raw || !isWanted(id, withPictures, withLyrics)) continue;
        const ByteVector bytes = raw->data();
        const taglib_frame handed = {id.c_str(), bytes.data(), bytes.size()};
        handler(context, &handed);
    }
}

}

int taglib_read_mpeg(
    int descriptor, bool with_pictures, bool with_lyrics, taglib_frame_handler handler, void *context
) {
    try {
        const auto stream = opened(with_pictures, descriptor);
        RawFrames frames;
        MPEG::File file(stream.get(), &frames, false);
        if (file.hasID3v2Tag()) handOver(*file.ID3v2Tag(), with_pictures, with_lyrics, handler, context);
        return 0;
    } catch (...) {
        return -1;
    }
}

int taglib_read_id3v2(
    int descriptor, int64_t offset, int64_t length, bool with_pictures, bool with_lyrics, taglib_frame_handler handler,
    void *context
) {
    try {
        const auto stream = opened(with_pictures, descriptor, offset, length);
        RawFrames frames;
        Stretch stretch(stream.get());
        const ID3v2::Tag tag(&stretch, 0, &frames);
        handOver(tag, with_pictures, with_lyrics, handler, context);
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
