// SPDX-License-Identifier: Apache-2.0

// Counts every request for memory that the process makes, from any library: a definition of `malloc` in the executable
// comes before the C library's, which stays reachable by its other name.
#include "CAllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long count;
static atomic_bool is_counting;

// The atomic addition takes several nanoseconds, so that it stays out of the measured rounds.
static void add_one(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  add_one();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  add_one();
  return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
  add_one();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  add_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  add_one();
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}

void allocation_count_start(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

long allocation_count_stop(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}
#else
void allocation_count_start(void) {}
long allocation_count_stop(void) { return -1; }
#endif
