#include "PicturelessStream.h"

#include <algorithm>
#include <cstring>

namespace {
/// Reading a tag of no more than this at once is quickest.
const unsigned long smallTag = 1 << 15;
const unsigned long headSize = 10;
/// More of them are left to TagLib, which gives up.
const int mostFrames = 1000;

unsigned long number(const char *bytes, int bits) {
    unsigned long number = 0;
    for (int i = 0; i < 4; ++i) number = number << bits | static_cast<unsigned char>(bytes[i]);
    return number;
}
}

TagLib::ByteVector PicturelessStream::readTag(const char *head, unsigned long length) {
    // One in which frames are not as they seem is left to TagLib.
    const bool isPlain = length > smallTag && (head[3] == 3 || head[3] == 4) && head[5] == 0;
    const long end = std::min(size, position + static_cast<long>(std::min(length, 1UL << 28)));
    TagLib::ByteVector frames;
    if (!isPlain || !readFrames(end, head[3], frames)) return TagStream::readTag(head, length);
    position = end;
    return frames;
}

/// Appends all frames up to `end` but the pictures; false where it is not clear where they begin and end.
bool PicturelessStream::readFrames(long end, unsigned char version, TagLib::ByteVector &frames) const {
    long place = position;
    for (int count = 0; count < mostFrames; ++count) {
        char head[headSize] = {0};
        if (place + static_cast<long>(headSize) > end || readDirectly(head, headSize, place) < headSize || head[0] == 0)
            return true;
        const long body = place + static_cast<long>(headSize);
        long next = body + static_cast<long>(number(head + 4, version == 4 ? 7 : 8));
        // Some programs write the sizes of 2.4 as those of 2.3.
        if (version == 4 && !isFrameOrEnd(next, end)) {
            const long other = body + static_cast<long>(number(head + 4, 8));
            if (isFrameOrEnd(other, end)) next = other;
        }
        if (!isFrameOrEnd(next, end) && !isPadding(next, end)) return false;
        if (std::memcmp(head, "APIC", 4) != 0) {
            const size_t old = frames.size(), wanted = static_cast<size_t>(next - place);
            if (old + wanted > 1 << 20) return false;
            frames.resize(static_cast<unsigned int>(old + wanted));
            if (readDirectly(frames.data() + old, wanted, place) < wanted) return false;
        }
        place = next;
    }
    return false;
}

/// Whether a frame begins there, or the tag ends.
bool PicturelessStream::isFrameOrEnd(long place, long end) const {
    if (place >= end) return place == end;
    char name[4] = {0};
    if (readDirectly(name, sizeof name, place) < sizeof name) return false;
    return std::all_of(name, name + 4, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

bool PicturelessStream::isPadding(long place, long end) const {
    char byte = 1;
    return place < end && readDirectly(&byte, 1, place) == 1 && byte == 0;
}
