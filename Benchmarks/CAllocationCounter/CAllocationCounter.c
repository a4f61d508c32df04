// SPDX-License-Identifier: Apache-2.0

// Counts every allocation of the process, from any library. The executable's definition of `malloc` takes precedence over the C
// library's, which stays reachable by its other name.
#include "CAllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static atomic_long count;
// Bytes held since counting started. Freeing older memory reduces it, so it can be negative.
static atomic_long held;
static atomic_long peak;
static atomic_bool is_counting;

// The atomic additions take several nanoseconds, so they are not used in the measured rounds.
static bool counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }

static void *took(void *block) {
  if (block == NULL || !counts()) return block;
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  long size = (long)malloc_usable_size(block);
  long now = atomic_fetch_add_explicit(&held, size, memory_order_relaxed) + size;
  long highest = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > highest && !atomic_compare_exchange_weak_explicit(&peak, &highest, now, memory_order_relaxed,
                                                                 memory_order_relaxed)) {
  }
  return block;
}

static void gives(void *block) {
  if (block == NULL || !counts()) return;
  atomic_fetch_sub_explicit(&held, (long)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return took(__libc_malloc(size)); }

void *calloc(size_t items, size_t size) { return took(__libc_calloc(items, size)); }

void *realloc(void *block, size_t size) {
  gives(block);
  return took(__libc_realloc(block, size));
}

void free(void *block) {
  gives(block);
  __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = took(__libc_memalign(alignment, size));
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}

void allocation_count_start(void) {
  atomic_store(&count, 0);
  atomic_store(&held, 0);
  atomic_store(&peak, 0);
  atomic_store(&is_counting, true);
}

allocation_figures allocation_count_stop(void) {
  atomic_store(&is_counting, false);
  allocation_figures figures = {atomic_load(&count), atomic_load(&peak)};
  return figures;
}
#else
void allocation_count_start(void) {}
allocation_figures allocation_count_stop(void) {
  allocation_figures figures = {-1, -1};
  return figures;
}
#endif
