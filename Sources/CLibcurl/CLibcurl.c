// SPDX-License-Identifier: Apache-2.0

#include "CLibcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct almanac_curl_functions almanac_curl;
static void *handle;
static bool is_loaded;

static void load(void) {
#ifdef __APPLE__
  static const char name[] = "/usr/lib/libcurl.4.dylib";
#else
  static const char name[] = "libcurl.so.4";
#endif
  // Its symbols stay invisible to other libraries. It is never unloaded.
  handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return;
  bool is_complete = true;
#define ALMANAC_CURL_FIND(NAME) \
  almanac_curl.NAME = (__typeof__(almanac_curl.NAME))dlsym(handle, #NAME); \
  is_complete = is_complete && almanac_curl.NAME;
#define ALMANAC_CURL_SYMBOL(RESULT, NAME, PARAMETERS, ARGUMENTS) ALMANAC_CURL_FIND(NAME)
  ALMANAC_CURL_FUNCTIONS(ALMANAC_CURL_SYMBOL)
  ALMANAC_CURL_VARIADIC_FUNCTIONS(ALMANAC_CURL_FIND)
  is_loaded = is_complete && almanac_curl.curl_version_info(CURLVERSION_FIRST)->version_num >= ALMANAC_CURL_VERSION;
}

bool almanac_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

void almanac_curl_initialize(void) {
  int (*init_crypto)(unsigned long long, const void *) = NULL;
  *(void **)&init_crypto = dlsym(handle, "OPENSSL_init_crypto");
  if (init_crypto) init_crypto(0x00080000ULL /* OPENSSL_INIT_NO_ATEXIT */, NULL);
  almanac_curl_global_init(CURL_GLOBAL_DEFAULT);
}

almanac_openssl_question almanac_find_openssl_question(const char *name) {
  return (almanac_openssl_question)dlsym(handle, name);
}
