#pragma once

/// How often this process has asked for memory so far, or -1 where that cannot be counted.
long allocation_count(void);
