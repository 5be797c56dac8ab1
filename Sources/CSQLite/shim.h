// SQLite, and what Swift cannot say of it: a destructor that is a cast number, and a function of variable arguments.
#pragma once

#include <sqlite3.h>

/// Binds bytes that SQLite copies.
static inline int tianlai_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds text in UTF-8 that SQLite copies.
static inline int tianlai_bind_text(sqlite3_stmt *statement, int place, const char *bytes, int count) {
    return sqlite3_bind_text(statement, place, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Gives a connection no store of small memory blocks of its own, which would stay with it for good.
static inline int tianlai_without_lookaside(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, 0, 0);
}
