// SPDX-License-Identifier: Apache-2.0

#pragma once

/// What a process asked its allocator for.
typedef struct {
  /// How often it asked for memory; -1 where requests cannot be counted.
  long count;
  /// The most bytes that it held at once of what it asked for while it was counted.
  long peak_bytes;
} allocation_figures;

/// Starts to count how often this process asks for memory, and how much of it is held.
void allocation_count_start(void);

/// Stops counting, and returns the figures.
allocation_figures allocation_count_stop(void);
