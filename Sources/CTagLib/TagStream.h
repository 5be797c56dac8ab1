// A file whose ID3v2 tags TagLib reads to their ends.
#pragma once

#include "DescriptorStream.h"

class TagStream : public DescriptorStream {
public:
    using DescriptorStream::DescriptorStream;

    TagLib::ByteVector readBlock(unsigned long length) override;

protected:
    /// Reads the body of the tag that begins with `head`, ten bytes before the position.
    virtual TagLib::ByteVector readTag(const char *head, unsigned long length);
};
