// What Tianlai needs of TagLib, in C: TagLib finds tags and takes them apart, the caller reads what is in the parts.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A frame of an ID3v2 tag; valid during the call that it is handed to.
struct taglib_frame {
    /// Three letters in version 2.2, four later.
    const char *id;
    /// What is in it, uncompressed.
    const void *bytes;
    size_t count;
};

/// Is handed one frame after the other, in the order of the file.
typedef void (*taglib_frame_handler)(void *context, const struct taglib_frame *frame);

/// Hands over what the ID3v2 tag of an MPEG file open as `descriptor` says: texts, comments, loudness and, where they
/// are wanted, pictures and lyrics.
///
/// Reads with pread(2) and never writes. Returns 0, or -1 where the tag cannot be taken apart; what was handed over
/// before that is good.
int taglib_read_mpeg(
    int descriptor, bool with_pictures, bool with_lyrics, taglib_frame_handler handler, void *context
);

/// Hands over likewise what an ID3v2 tag says that is `length` bytes from `offset` on, with what belongs to it behind.
int taglib_read_id3v2(
    int descriptor, int64_t offset, int64_t length, bool with_pictures, bool with_lyrics, taglib_frame_handler handler,
    void *context
);

/// Writes the name of an ID3v1 genre, and returns its length in bytes: 0 for a number that has none.
size_t taglib_genre(int number, char *target, size_t capacity);

#ifdef __cplusplus
}
#endif
