// SPDX-License-Identifier: Apache-2.0

#include "CCommit.h"

// The manifest defines it for a release build in a clone.
#ifndef ALMANAC_COMMIT
#define ALMANAC_COMMIT ""
#endif

const char *almanac_commit(void) { return ALMANAC_COMMIT; }
