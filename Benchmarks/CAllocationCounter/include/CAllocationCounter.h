// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Starts to count how often this process asks for memory.
void allocation_count_start(void);

/// Stops counting, and returns the number, or -1 where requests cannot be counted.
long allocation_count_stop(void);
