#include "MendedTag.h"

#include <algorithm>
#include <cctype>

namespace {
const size_t frameHeadSize = 10;
const char unsynchronised = '\x80', hasExtendedHeader = 0x40;

size_t number(const TagLib::ByteVector &bytes, size_t place, int bits) {
    size_t number = 0;
    for (size_t i = place; i < place + 4; ++i)
        number = number << bits | static_cast<unsigned char>(bytes[static_cast<int>(i)]);
    return number;
}

bool isAll(int (*kind)(int), const TagLib::ByteVector &bytes, size_t place) {
    return std::all_of(bytes.begin() + place, bytes.begin() + place + 4, [kind](char c) {
        return kind(static_cast<unsigned char>(c)) != 0;
    });
}

/// Whether TagLib would end at this frame: its name is none, or there is nothing in it.
bool isStop(const TagLib::ByteVector &bytes, size_t place, size_t content, int sizeBits) {
    const bool hasLength = sizeBits == 7 && bytes[static_cast<int>(place + 9)] & 1;
    const bool isNamed = isAll([](int c) { return static_cast<int>(std::isupper(c) || std::isdigit(c)); }, bytes, place);
    return !isNamed || content <= (hasLength ? 4 : 0);
}

/// Takes out frames at which TagLib would end, as far as it is clear where frames begin; returns by how much the body has shrunk.
size_t dropStops(TagLib::ByteVector &body, size_t place, int sizeBits) {
    const size_t size = body.size();
    size_t kept = place;
    while (place + frameHeadSize <= size && isAll(std::isalnum, body, place)) {
        const size_t content = number(body, place + 4, sizeBits);
        if (content > size - place - frameHeadSize) break;
        const size_t next = place + frameHeadSize + content;
        if (!isStop(body, place, content, sizeBits)) {
            if (kept < place) std::copy(body.begin() + place, body.begin() + next, body.begin() + kept);
            kept += next - place;
        }
        place = next;
    }
    const size_t dropped = place - kept;
    if (dropped > 0) std::copy(body.begin() + place, body.end(), body.begin() + kept);
    return dropped;
}
}

void mendTag(const char *head, TagLib::ByteVector &body) {
    const char version = head[3], flags = head[5];
    // What is unsynchronised cannot be walked through as it is.
    if ((version != 3 && version != 4) || flags & unsynchronised || body.size() < frameHeadSize) return;
    const int sizeBits = version == 4 ? 7 : 8;
    size_t start = 0;
    if (flags & hasExtendedHeader) {
        start = number(body, 0, sizeBits);
        // Version 3 does not count the four bytes of the size itself, TagLib does.
        if (version == 3) {
            start += 4;
            if (start < 0x80) body[3] = static_cast<char>(start);
        }
        if (start > body.size()) return;
    }
    const size_t dropped = dropStops(body, start, sizeBits);
    const size_t size = body.size();
    // Padding behind the last frame, which TagLib looks for up to the size of an extended header before the end.
    if (dropped > 0) std::fill(body.begin() + (size - dropped), body.end(), '\0');
    if (start > 0) body.resize(static_cast<unsigned int>(size + start), '\0');
}
