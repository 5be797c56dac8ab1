// A file whose ID3v2 pictures are not read: they are most of a tag, and who wants to know the rest quickly waits for them.
#pragma once

#include "TagStream.h"

class PicturelessStream : public TagStream {
public:
    using TagStream::TagStream;

protected:
    TagLib::ByteVector readTag(const char *head, unsigned long length) override;

private:
    bool readFrames(long end, unsigned char version, TagLib::ByteVector &frames) const;
    bool isFrameOrEnd(long place, long end) const;
    bool isPadding(long place, long end) const;
};
