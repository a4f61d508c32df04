// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBSQLITE3_SHIM_H
#define ALMANAC_CLIBSQLITE3_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

#if SQLITE_VERSION_NUMBER < 3024000
#error "CalendarSyncSQLite needs SQLite 3.24 or newer. On Debian and Ubuntu, install libsqlite3-dev."
#endif

/// Binds a copy of bytes. Swift does not import the constant for copies.
static inline int almanac_sqlite3_bind_copy(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
