// A file that TagLib reads through a descriptor of ours, within limits that no file can talk us out of.
#pragma once

#include <taglib/tiostream.h>

#include <vector>

class DescriptorStream : public TagLib::IOStream {
public:
    explicit DescriptorStream(int descriptor);
    /// A stretch of the file as if it were a file of its own.
    DescriptorStream(int descriptor, long start, long length);

    TagLib::FileName name() const override { return ""; }
    TagLib::ByteVector readBlock(unsigned long length) override;
    bool readOnly() const override { return true; }
    bool isOpen() const override { return true; }
    void seek(long offset, Position from = Beginning) override;
    long tell() const override { return position; }
    long length() override { return size; }

    void writeBlock(const TagLib::ByteVector &) override {}
    void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
    void removeBlock(unsigned long, unsigned long) override {}
    void truncate(long) override {}

protected:
    /// Reads from `offset` on, wherever the position is; fewer bytes only at the end of the file.
    size_t readDirectly(char *target, size_t length, long offset) const;
    /// Reads exactly so many bytes, from memory where they are there; false where the file has fewer.
    bool peek(char *target, size_t length, long offset) const;

    long size = 0;
    long position = 0;

private:
    bool isFarFromTags(unsigned long length) const;

    int descriptor;
    /// Where in the file position 0 is.
    long start = 0;
    /// TagLib looks for frames four bytes at a time: small reads come from here.
    std::vector<char> window;
    long windowStart = 0;
};
