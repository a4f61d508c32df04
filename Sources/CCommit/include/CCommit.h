// SPDX-License-Identifier: Apache-2.0

/// The commit that a release build was made from, abbreviated, with "+" after it if sources had changed; else an empty text.
const char *almanac_commit(void);
