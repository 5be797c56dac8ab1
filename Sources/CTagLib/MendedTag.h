// The body of an ID3v2 tag as TagLib has to see it to read all of it.
#pragma once

#include <taglib/tbytevector.h>

/// Mends `body`, which follows a tag's head of ten bytes: TagLib ends at a frame without content or with an odd
/// name, miscounts an extended header, and then drops the last frame.
void mendTag(const char *head, TagLib::ByteVector &body);
