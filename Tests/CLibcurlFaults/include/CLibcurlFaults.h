// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBCURLFAULTS_H
#define ALMANAC_CLIBCURLFAULTS_H

#include <stdbool.h>

/// Makes libcurl refuse an option from now on, by its number in libcurl's headers; 0 for none.
void libcurl_refuse(int option);

/// Makes libcurl have no memory for the header line that follows so many; -1 for none.
void libcurl_refuse_line_after(int lines);

/// Whether the option was set so far.
bool libcurl_has_set(int option);

/// The name that libcurl gives an option of an easy handle; NULL for a number that is none.
const char *libcurl_option_name(int option);

/// Begins to record the options of easy and multi handles, without those of earlier recordings.
void libcurl_record(void);

/// The recorded options, one a line: "NAME=VALUE", with "*" for a pointer and "NULL" for none; "MULTI_NUMBER" for a multi handle's.
const char *libcurl_recorded(void);

/// Makes transfers end with this result and error text instead of their own; a negative result for their own.
void libcurl_end_with(int result, const char *text);

/// Makes libcurl report this number for an information about a transfer, such as CURLINFO_OS_ERRNO; at most eight have one.
void libcurl_report(int info, long number);

/// Makes each lookup of "held.invalid" wait, or lets those that wait end without an address.
void libcurl_hold_lookups(bool held);

/// The number of lookups that wait.
int libcurl_held_lookups(void);

#endif
