// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLINUX_SHIM_H
#define ALMANAC_CLINUX_SHIM_H

#include <sys/epoll.h>

// The system's headers declare these only if _GNU_SOURCE is defined.
int pipe2(int ends[2], int flags);
int dup3(int from, int to, int flags);

// Declared under other names and without their types: the headers with these types would also declare types of other modules.
extern int almanac_c_accept4(int listener, void *name, void *size, int flags) __asm__("accept4");
// Available since glibc 2.34.
extern int almanac_c_add_close_from(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np") __attribute__((weak));

/// Calls accept4(2) without requesting the peer's address.
static inline int almanac_accept(int listener, int flags) { return almanac_c_accept4(listener, 0, 0, flags); }

/// Adds to a `posix_spawn_file_actions_t` an action that closes all descriptors from `from` on in the new program.
///
/// Returns 0, or another value if the C library does not support it.
static inline int almanac_add_close_from(void *actions, int from) {
  return almanac_c_add_close_from ? almanac_c_add_close_from(actions, from) : -1;
}

#endif
