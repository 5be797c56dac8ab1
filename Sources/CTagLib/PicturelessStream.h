// A file whose ID3v2 pictures are not read: they are most of a tag, and who wants to know the rest quickly waits for them.
#pragma once

#include "DescriptorStream.h"

class PicturelessStream : public DescriptorStream {
public:
    using DescriptorStream::DescriptorStream;

    TagLib::ByteVector readBlock(unsigned long length) override;

private:
    bool readFrames(long end, unsigned char version, TagLib::ByteVector &frames) const;
    bool isFrameOrEnd(long place, long end) const;
    bool isPadding(long place, long end) const;
};
