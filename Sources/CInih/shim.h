#pragma once

#include <stdbool.h>
#include <ini.h>

/* inih's own limit, 200 bytes a line, is too short for a list of folders. Its settings are global variables, which
   Swift rightly refuses to write; here they always become the same. */
static inline int ini_shim_parse(ini_reader reader, void *stream, ini_handler handler, void *user, int longest_line) {
    ini_use_stack = false;
    ini_allow_realloc = true;
    ini_max_line = longest_line + 3;
    return ini_parse_stream(reader, stream, handler, user);
}
