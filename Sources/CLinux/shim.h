// SPDX-License-Identifier: Apache-2.0

#include <sys/epoll.h>

// pipe2(2), which unistd.h declares only for those who define _GNU_SOURCE.
int pipe2(int ends[2], int flags);
