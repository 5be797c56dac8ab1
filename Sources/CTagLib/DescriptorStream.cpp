#include "DescriptorStream.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace {
/// The largest tag that is read: what is behind it in a larger one is not looked at.
const long largestTag = 64 << 20;
/// How far from either end of the file tags are looked for.
const long reach = 2 << 20;
/// A read of more than this is the body of a tag whose header has been found.
const unsigned long largestSearchStep = 4096;
const size_t windowSize = 1 << 14;
}

DescriptorStream::DescriptorStream(int descriptor) : descriptor(descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) == 0) size = status.st_size;
}

DescriptorStream::DescriptorStream(int descriptor, long start, long length) : DescriptorStream(descriptor) {
    this->start = std::min(std::max(start, 0L), size);
    size = std::min(std::max(length, 0L), size - this->start);
}

TagLib::ByteVector DescriptorStream::readBlock(unsigned long length) {
    // A tag may claim any size: what is asked for is what the file has, at most.
    const long rest = std::min(std::max(size - position, 0L), largestTag);
    const size_t count = std::min(length, static_cast<unsigned long>(rest));
    if (count == 0 || isFarFromTags(length)) return TagLib::ByteVector();
    TagLib::ByteVector bytes(static_cast<unsigned int>(count));
    size_t got = 0;
    if (count <= largestSearchStep) {
        const long windowEnd = windowStart + static_cast<long>(window.size());
        if (position < windowStart || position + static_cast<long>(count) > windowEnd) {
            window.resize(windowSize);
            windowStart = position;
            window.resize(readDirectly(window.data(), windowSize, position));
        }
        const size_t from = static_cast<size_t>(position - windowStart);
        got = std::min(count, window.size() - from);
        std::copy_n(window.data() + from, got, bytes.data());
    } else {
        got = readDirectly(bytes.data(), count, position);
    }
    bytes.resize(static_cast<unsigned int>(got));
    position += static_cast<long>(got);
    return bytes;
}

/// Without frames and tags at its start, TagLib would search a file of any size to its end.
bool DescriptorStream::isFarFromTags(unsigned long length) const {
    return length <= largestSearchStep && position > reach && position < size - reach;
}

size_t DescriptorStream::readDirectly(char *target, size_t length, long offset) const {
    size_t filled = 0;
    while (filled < length) {
        const long place = start + offset + static_cast<long>(filled);
        const ssize_t got = pread(descriptor, target + filled, length - filled, place);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        filled += static_cast<size_t>(got);
    }
    return filled;
}

bool DescriptorStream::peek(char *target, size_t length, long offset) const {
    const long end = offset + static_cast<long>(length);
    if (offset < 0 || end > size) return false;
    if (offset < windowStart || end > windowStart + static_cast<long>(window.size()))
        return readDirectly(target, length, offset) == length;
    std::copy_n(window.data() + (offset - windowStart), length, target);
    return true;
}

void DescriptorStream::seek(long offset, Position from) {
    const long base = from == Beginning ? 0 : from == Current ? position : size;
    long place = 0;
    position = __builtin_add_overflow(base, offset, &place) ? size : std::max(place, 0L);
}
