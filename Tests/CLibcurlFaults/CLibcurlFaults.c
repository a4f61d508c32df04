// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLibcurlFaults.h"

#include <CLibcurl.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// libcurl's own functions. Those of this file replace them for the transport when the tests start.
static struct almanac_curl_functions next;

enum { options = 100000, multi_options = 50000 };

static atomic_int refused;
static atomic_int lines_left = -1;
static atomic_bool was_set[options];

void libcurl_refuse(int option) { refused = option; }

void libcurl_refuse_line_after(int lines) { lines_left = lines; }

bool libcurl_has_set(int option) { return option > 0 && option < options && was_set[option]; }

const char *libcurl_option_name(int option) {
  const struct curl_easyoption *known = almanac_curl_easy_option_by_id((CURLoption)option);
  return known ? known->name : NULL;
}

// The recorded options. A test reads them between transfers.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char recorded[64 * 1024];
static size_t recorded_size;
static atomic_bool is_recording;

void libcurl_record(void) {
  pthread_mutex_lock(&lock);
  recorded_size = 0;
  recorded[0] = 0;
  pthread_mutex_unlock(&lock);
  is_recording = true;
}

const char *libcurl_recorded(void) { return recorded; }

static void record(const char *name, const char *format, const void *value) {
  char text[8192];
  snprintf(text, sizeof text, format, value);
  pthread_mutex_lock(&lock);
  int size = snprintf(recorded + recorded_size, sizeof recorded - recorded_size, "%s=%s\n", name, text);
  if (size > 0 && recorded_size + size < sizeof recorded) recorded_size += size;
  pthread_mutex_unlock(&lock);
}

static void record_easy(CURLoption option, const void *value) {
  if (!is_recording) return;
  const struct curl_easyoption *known = almanac_curl_easy_option_by_id(option);
  if (!known) return;
  switch (known->type) {
  case CURLOT_LONG: case CURLOT_VALUES: case CURLOT_OFF_T: return record(known->name, "%ld", value);
  case CURLOT_STRING: if (value) return record(known->name, "%s", value);
  default: return record(known->name, value ? "*" : "NULL", NULL);
  }
}

// The results and the information that stand in for libcurl's.

static atomic_int forced_result = -1;
static char forced_text[CURL_ERROR_SIZE];
static char *_Atomic error_text;
static struct { atomic_int info; atomic_long number; } reports[8];

void libcurl_end_with(int result, const char *text) {
  strncpy(forced_text, text, sizeof forced_text - 1);
  forced_result = result;
}

void libcurl_report(int info, long number) {
  for (int i = 0; i < 8; i++) {
    if (reports[i].info && reports[i].info != info) continue;
    reports[i].number = number;
    reports[i].info = info;
    return;
  }
}

static CURLMsg *read_message(CURLM *multi, int *left) {
  CURLMsg *message = next.curl_multi_info_read(multi, left);
  if (message && message->msg == CURLMSG_DONE && forced_result >= 0) {
    message->data.result = (CURLcode)forced_result;
    if (error_text) strcpy(error_text, forced_text);
  }
  return message;
}

static CURLcode get_info(CURL *easy, CURLINFO info, ...) {
  va_list arguments;
  va_start(arguments, info);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  for (int i = 0; i < 8 && reports[i].info; i++) {
    if (reports[i].info != (int)info) continue;
    if ((info & CURLINFO_TYPEMASK) == CURLINFO_OFF_T) *(curl_off_t *)value = reports[i].number;
    else *(long *)value = reports[i].number;
    return CURLE_OK;
  }
  return next.curl_easy_getinfo(easy, info, value);
}

static atomic_bool is_held;
static atomic_int lookups;

void libcurl_hold_lookups(bool held) { is_held = held; }

int libcurl_held_lookups(void) { return lookups; }

static bool refuses(int option) {
  if (option > 0 && option < options) was_set[option] = true;
  return option == refused;
}

// Every type of argument is passed as a pointer is, on the platforms of this package.

static CURLcode set_easy(CURL *easy, CURLoption option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  record_easy(option, value);
  if (option == CURLOPT_ERRORBUFFER) error_text = value;
  return refuses(option) ? CURLE_UNKNOWN_OPTION : next.curl_easy_setopt(easy, option, value);
}

static CURLMcode set_multi(CURLM *multi, CURLMoption option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  char name[32];
  snprintf(name, sizeof name, "MULTI_%d", option);
  if (is_recording) record(name, option < CURLOPTTYPE_OBJECTPOINT ? "%ld" : value ? "*" : "NULL", value);
  // Its numbers are those of other options too.
  return refuses(option + multi_options) ? CURLM_UNKNOWN_OPTION : next.curl_multi_setopt(multi, option, value);
}

static struct curl_slist *append_line(struct curl_slist *list, const char *line) {
  if (lines_left == 0) return NULL;
  if (lines_left > 0) lines_left--;
  return next.curl_slist_append(list, line);
}

__attribute__((constructor)) static void replace_functions(void) {
  if (!almanac_curl_load()) return;
  next = almanac_curl;
  almanac_curl.curl_multi_info_read = read_message;
  almanac_curl.curl_easy_getinfo = get_info;
  almanac_curl.curl_easy_setopt = set_easy;
  almanac_curl.curl_multi_setopt = set_multi;
  almanac_curl.curl_slist_append = append_line;
}

// libcurl looks names up on a thread of its own, which may wait. The executable's definition comes before the C library's.
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  static int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  if (!next) {
    next = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
  }
  if (!name || strcmp(name, "held.invalid") != 0) return next(name, service, hints, result);
  lookups++;
  while (is_held) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  lookups--;
  return EAI_NONAME;
}
