// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBCURL_SHIM_H
#define ALMANAC_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#if LIBCURL_VERSION_NUM < 0x075800
#error "HTTPTransportCurl needs libcurl 7.88 or newer. On Debian and Ubuntu, install libcurl4-openssl-dev."
#endif

// libcurl's variadic functions, one for each type of argument: Swift cannot call variadic functions.

static inline CURLcode almanac_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_blob(CURL *easy, CURLoption option, const struct curl_blob *value) {
  return curl_easy_setopt(easy, option, value);
}

/// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION or CURLOPT_READFUNCTION.
static inline CURLcode almanac_easy_set_data_function(
    CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode almanac_easy_set_progress_function(CURL *easy, curl_xferinfo_callback function) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode almanac_easy_set_prerequest_function(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode almanac_easy_set_open_function(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode almanac_easy_set_close_function(CURL *easy, curl_closesocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode almanac_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode almanac_easy_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

/// The value of CURLOPT_PRIVATE; NULL if it was not set.
static inline void almanac_easy_get_private(CURL *easy, void **value) {
  char *pointer = NULL;
  *value = curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK ? pointer : NULL;
}

/// Reads the TLS session of a running transfer, an `SSL *` of OpenSSL; NULL if its connection is without TLS.
///
/// Returns whether libcurl's TLS library is OpenSSL, or one that presents itself as OpenSSL.
static inline bool almanac_easy_get_openssl_session(CURL *easy, const void **session) {
  struct curl_tlssessioninfo *info = NULL;
  *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return false;
  if (info->backend != CURLSSLBACKEND_OPENSSL) return false;
  *session = info->internals;
  return true;
}

typedef int (*almanac_openssl_question)(const void *session);

/// Finds a function of OpenSSL that reads the state of a session; libcurl has loaded it into the process.
///
/// NULL if the name cannot be found, as in a statically linked program.
static inline almanac_openssl_question almanac_find_openssl_question(const char *name) {
  void *program = dlopen(NULL, RTLD_LAZY);
  return program ? (almanac_openssl_question)dlsym(program, name) : NULL;
}

/// Initializes libcurl once, after OpenSSL if it is present, without the exit handler that frees OpenSSL's memory.
///
/// This handler runs while threads of transports use the same memory: a thread in a TLS call used a lock that was already
/// freed. Without it, OpenSSL's other exit handlers do not run either. It stays if other code has initialized OpenSSL before.
static inline void almanac_global_init(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  int (*init_crypto)(unsigned long long, const void *) = 0;
  if (program) *(void **)&init_crypto = dlsym(program, "OPENSSL_init_crypto");
  if (init_crypto) init_crypto(0x00080000ULL /* OPENSSL_INIT_NO_ATEXIT */, NULL);
  curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLMcode almanac_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode almanac_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode almanac_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode almanac_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

/// The number of bytes that have arrived on a socket and were not read; -1 if the descriptor has no such number.
static inline int almanac_unread_bytes(int socket) {
  int count = 0;
  return ioctl(socket, FIONREAD, &count) == 0 ? count : -1;
}

/// The number of bytes that the process has read from a TCP connection; -1 where the system does not count them.
static inline long long almanac_read_bytes(int socket) {
#ifdef __linux__
  // TCP_INFO of Linux 4.1 and later has tcpi_bytes_received at this place; the C libraries' structures end before it.
  struct {
    char others[128];
    unsigned long long received;
  } info;
  socklen_t size = sizeof(info);
  int unread = almanac_unread_bytes(socket);
  if (unread < 0 || getsockopt(socket, 6 /* IPPROTO_TCP */, 11 /* TCP_INFO */, &info, &size) != 0) return -1;
  return size < sizeof(info) ? -1 : (long long)info.received - unread;
#else
  (void)socket;
  return -1;
#endif
}

/// The outcome of a finished transfer; libcurl keeps it in a union.
static inline CURLcode almanac_message_result(const CURLMsg *message) { return message->data.result; }

#endif
