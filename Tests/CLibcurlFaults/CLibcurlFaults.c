// SPDX-License-Identifier: Apache-2.0

// Definitions in the executable come before those of libcurl, which stay reachable as the next ones.
#define _GNU_SOURCE
#define CURL_DISABLE_TYPECHECK
#include "CLibcurlFaults.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#undef curl_easy_setopt
#undef curl_multi_setopt

enum { options = 100000, multi_options = 50000 };

static atomic_int refused;
static atomic_int lines_left = -1;
static atomic_bool was_set[options];

void libcurl_refuse(int option) { refused = option; }

void libcurl_refuse_line_after(int lines) { lines_left = lines; }

bool libcurl_has_set(int option) { return option > 0 && option < options && was_set[option]; }

const char *libcurl_option_name(int option) {
  const struct curl_easyoption *known = curl_easy_option_by_id((CURLoption)option);
  return known ? known->name : NULL;
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

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
  static CURLcode (*next)(CURL *, CURLoption, ...);
  if (!next) next = (CURLcode(*)(CURL *, CURLoption, ...))dlsym(RTLD_NEXT, "curl_easy_setopt");
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return refuses(option) ? CURLE_UNKNOWN_OPTION : next(easy, option, value);
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
  static CURLMcode (*next)(CURLM *, CURLMoption, ...);
  if (!next) next = (CURLMcode(*)(CURLM *, CURLMoption, ...))dlsym(RTLD_NEXT, "curl_multi_setopt");
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  // Its numbers are those of other options too.
  return refuses(option + multi_options) ? CURLM_UNKNOWN_OPTION : next(multi, option, value);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
  static struct curl_slist *(*next)(struct curl_slist *, const char *);
  if (!next) next = (struct curl_slist * (*)(struct curl_slist *, const char *)) dlsym(RTLD_NEXT, "curl_slist_append");
  if (lines_left == 0) return NULL;
  if (lines_left > 0) lines_left--;
  return next(list, line);
}

// libcurl looks names up on a thread of its own, which may wait.
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
