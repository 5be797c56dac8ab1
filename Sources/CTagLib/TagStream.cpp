#include "TagStream.h"
#include "MendedTag.h"

#include <cstring>

namespace {
const size_t headSize = 10;
}

TagLib::ByteVector TagStream::readBlock(unsigned long length) {
    char head[headSize];
    // The body of a tag is what is read behind its head, in the length that the head says.
    if (!peek(head, headSize, position - static_cast<long>(headSize)) || std::memcmp(head, "ID3", 3) != 0)
        return DescriptorStream::readBlock(length);
    unsigned long claimed = 0;
    for (int i = 6; i < 10; ++i) claimed = claimed << 7 | static_cast<unsigned char>(head[i]);
    if (claimed != length) return DescriptorStream::readBlock(length);
    TagLib::ByteVector body = readTag(head, length);
    mendTag(head, body);
    return body;
}

TagLib::ByteVector TagStream::readTag(const char *, unsigned long length) {
    return DescriptorStream::readBlock(length);
}
