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

/// Starts the instrumentation of callgrind, which makes the program about ten times slower.
///
/// Does nothing if the program does not run under valgrind.
void callgrind_start(void);

/// Stops the instrumentation of callgrind, and writes the profile since its start to the next file.
void callgrind_stop(void);

/// Holds the jobs of all tasks from now on, which otherwise run on the pool of threads.
void held_jobs_start(void);

/// Runs the held jobs on the calling thread, in the order of their arrival, until there is none.
void held_jobs_run(void);
