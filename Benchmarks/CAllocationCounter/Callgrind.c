// SPDX-License-Identifier: Apache-2.0

// A request to valgrind is a sequence of instructions without effect on the processor. valgrind.h has the same sequences, and is not
// included because the benchmarks also build without valgrind.
#include "CAllocationCounter.h"

static void request(unsigned long code) {
  volatile unsigned long request[6] = {code};
#if defined(__x86_64__)
  unsigned long result = 0;
  __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                   : "+d"(result)
                   : "a"(request)
                   : "cc", "memory");
#elif defined(__aarch64__)
  register unsigned long result __asm__("x3") = 0;
  register volatile unsigned long *address __asm__("x4") = request;
  __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
                   : "+r"(result)
                   : "r"(address)
                   : "cc", "memory");
#else
  (void)request;
#endif
}

// The codes of callgrind's requests begin with its initials.
static const unsigned long tool = (unsigned long)'C' << 24 | (unsigned long)'T' << 16;

void callgrind_start(void) { request(tool + 4); }

void callgrind_stop(void) {
  request(tool + 5);
  // Writes the profile, and starts the next one.
  request(tool);
}
