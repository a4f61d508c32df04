// SPDX-License-Identifier: Apache-2.0

#pragma once

/// The allocations of a process.
typedef struct {
  /// The number of allocations, or -1 if they cannot be counted.
  long count;
  /// The maximum number of bytes that were held at once, of the counted allocations.
  long peak_bytes;
} allocation_figures;

/// Starts counting the allocations of this process and the bytes held.
void allocation_count_start(void);

/// Stops counting and returns the figures.
allocation_figures allocation_count_stop(void);
