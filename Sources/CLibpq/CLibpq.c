// SPDX-License-Identifier: Apache-2.0

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define ALMANAC_HAS_HEADER 1
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define ALMANAC_HAS_HEADER 1
#endif

#include "CLibpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef ALMANAC_HAS_HEADER

#define ALMANAC_PQ_COMPARISON(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(almanac_##NAME), __typeof__(NAME)), \
                 #NAME " has another type in libpq-fe.h.");
ALMANAC_PQ_FUNCTIONS(ALMANAC_PQ_COMPARISON)

#define ALMANAC_SAME_VALUE(OURS, THEIRS) _Static_assert((int)OURS == (int)THEIRS, #THEIRS " has another value.");
ALMANAC_SAME_VALUE(ALMANAC_CONNECTION_OK, CONNECTION_OK)
ALMANAC_SAME_VALUE(ALMANAC_CONNECTION_BAD, CONNECTION_BAD)
ALMANAC_SAME_VALUE(ALMANAC_POLLING_FAILED, PGRES_POLLING_FAILED)
ALMANAC_SAME_VALUE(ALMANAC_POLLING_READING, PGRES_POLLING_READING)
ALMANAC_SAME_VALUE(ALMANAC_POLLING_WRITING, PGRES_POLLING_WRITING)
ALMANAC_SAME_VALUE(ALMANAC_POLLING_OK, PGRES_POLLING_OK)
ALMANAC_SAME_VALUE(ALMANAC_RESULT_EMPTY_QUERY, PGRES_EMPTY_QUERY)
ALMANAC_SAME_VALUE(ALMANAC_RESULT_COMMAND_OK, PGRES_COMMAND_OK)
ALMANAC_SAME_VALUE(ALMANAC_RESULT_TUPLES_OK, PGRES_TUPLES_OK)
ALMANAC_SAME_VALUE(ALMANAC_TRANSACTION_IDLE, PQTRANS_IDLE)
ALMANAC_SAME_VALUE(ALMANAC_TRANSACTION_FAILED, PQTRANS_INERROR)
ALMANAC_SAME_VALUE(ALMANAC_ERRORS_VERBOSE, PQERRORS_VERBOSE)

#define ALMANAC_SAME_PLACE(OURS, THEIRS, MEMBER) \
  _Static_assert(offsetof(struct OURS, MEMBER) == offsetof(THEIRS, MEMBER), #THEIRS "." #MEMBER " has another place.");
ALMANAC_SAME_PLACE(almanac_pq_option, PQconninfoOption, keyword)
ALMANAC_SAME_PLACE(almanac_pq_option, PQconninfoOption, val)
ALMANAC_SAME_PLACE(almanac_pq_notification, PGnotify, relname)
ALMANAC_SAME_PLACE(almanac_pq_notification, PGnotify, extra)
_Static_assert(sizeof(struct almanac_pq_option) == sizeof(PQconninfoOption), "PQconninfoOption has another size.");

#endif

// The functions of the library, which are set once, before any of them is called.
static struct {
#define ALMANAC_PQ_POINTER(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT(*NAME) PARAMETERS;
  ALMANAC_PQ_FUNCTIONS(ALMANAC_PQ_POINTER)
  ALMANAC_PQ_STRUCTURE_FUNCTIONS(ALMANAC_PQ_POINTER)
} library;
static bool is_loaded;

static void *open_library(void) {
  static const char *const names[] = {
#ifdef __APPLE__
    // dlopen(3) would also look for a name without a folder in the current one, which another user may have filled.
    "@rpath/libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
  };
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    // Its symbols stay invisible to other libraries.
    void *handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (handle) return handle;
  }
  return NULL;
}

static void load(void) {
  void *handle = open_library();
  if (!handle) return;
  bool is_complete = true;
#define ALMANAC_PQ_SYMBOL(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  library.NAME = (RESULT(*) PARAMETERS)dlsym(handle, #NAME); \
  is_complete = is_complete && library.NAME;
  ALMANAC_PQ_FUNCTIONS(ALMANAC_PQ_SYMBOL)
  ALMANAC_PQ_STRUCTURE_FUNCTIONS(ALMANAC_PQ_SYMBOL)
  // The library is never unloaded. Without thread safety, it could not be used at all.
  is_loaded = is_complete && library.PQisthreadsafe();
}

bool almanac_pq_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

#define ALMANAC_PQ_CALL(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  RESULT almanac_##NAME PARAMETERS { return library.NAME ARGUMENTS; }
ALMANAC_PQ_FUNCTIONS(ALMANAC_PQ_CALL)
ALMANAC_PQ_STRUCTURE_FUNCTIONS(ALMANAC_PQ_CALL)
