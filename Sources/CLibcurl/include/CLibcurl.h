// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBCURL_H
#define ALMANAC_CLIBCURL_H

// The functions have their own names here, without the macros that check the arguments of variadic functions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// libcurl, which is loaded when it is first used. Linked, it and its libraries would take half of the time in which a program starts.

#define ALMANAC_CURL_VERSION 0x075800

#if LIBCURL_VERSION_NUM < ALMANAC_CURL_VERSION
#error "HTTPTransportCurl needs libcurl 7.88 or newer. On Debian and Ubuntu, install libcurl4-openssl-dev."
#endif

// A line for each function: the type of its result, its name, its parameters, its arguments.
#define ALMANAC_CURL_FUNCTIONS(FUNCTION) \
  FUNCTION(CURLcode, curl_global_init, (long flags), (flags)) \
  FUNCTION(curl_version_info_data *, curl_version_info, (CURLversion version), (version)) \
  FUNCTION(CURL *, curl_easy_init, (void), ()) \
  FUNCTION(void, curl_easy_cleanup, (CURL * easy), (easy)) \
  FUNCTION(CURLcode, curl_easy_pause, (CURL * easy, int directions), (easy, directions)) \
  FUNCTION(CURLHcode, curl_easy_header, \
           (CURL * easy, const char *name, size_t index, unsigned origin, int request, struct curl_header **header), \
           (easy, name, index, origin, request, header)) \
  FUNCTION(const struct curl_easyoption *, curl_easy_option_by_id, (CURLoption option), (option)) \
  FUNCTION(const char *, curl_easy_strerror, (CURLcode code), (code)) \
  FUNCTION(CURLM *, curl_multi_init, (void), ()) \
  FUNCTION(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi)) \
  FUNCTION(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy)) \
  FUNCTION(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy)) \
  FUNCTION(CURLMcode, curl_multi_socket_action, (CURLM * multi, curl_socket_t socket, int events, int *running), \
           (multi, socket, events, running)) \
  FUNCTION(CURLMcode, curl_multi_poll, \
           (CURLM * multi, struct curl_waitfd *others, unsigned count, int milliseconds, int *ready), \
           (multi, others, count, milliseconds, ready)) \
  FUNCTION(CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi)) \
  FUNCTION(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left)) \
  FUNCTION(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *line), (list, line)) \
  FUNCTION(void, curl_slist_free_all, (struct curl_slist * list), (list)) \
  FUNCTION(CURLU *, curl_url, (void), ()) \
  FUNCTION(void, curl_url_cleanup, (CURLU * url), (url)) \
  FUNCTION(CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned flags), \
           (url, part, text, flags))

#define ALMANAC_CURL_VARIADIC_FUNCTIONS(FUNCTION) \
  FUNCTION(curl_easy_setopt) \
  FUNCTION(curl_easy_getinfo) \
  FUNCTION(curl_multi_setopt)

/// libcurl's functions, which `almanac_curl_load` sets. Only tests replace them.
extern struct almanac_curl_functions {
#define ALMANAC_CURL_VARIADIC_POINTER(NAME) __typeof__(NAME) *NAME;
#define ALMANAC_CURL_POINTER(RESULT, NAME, PARAMETERS, ARGUMENTS) __typeof__(NAME) *NAME;
  ALMANAC_CURL_FUNCTIONS(ALMANAC_CURL_POINTER)
  ALMANAC_CURL_VARIADIC_FUNCTIONS(ALMANAC_CURL_VARIADIC_POINTER)
#undef ALMANAC_CURL_POINTER
#undef ALMANAC_CURL_VARIADIC_POINTER
} almanac_curl;

/// Loads libcurl, unless it is loaded.
///
/// Returns whether it is loaded and new enough.
bool almanac_curl_load(void);

/// Initializes libcurl, which has to be loaded, and before it OpenSSL, if libcurl uses it, without OpenSSL's exit handler.
///
/// The handler frees memory that the threads of transports use while it runs: a thread in a TLS call used a lock that was
/// already freed. Without it, OpenSSL's other exit handlers do not run either. It stays if other code has initialized OpenSSL
/// before.
void almanac_curl_initialize(void);

// Each of these functions loads libcurl. Without libcurl, it does nothing and returns 0 or NULL, so there are no handles.
#define ALMANAC_CURL_DEFINITION(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  static inline RESULT almanac_##NAME PARAMETERS { return almanac_curl_load() ? almanac_curl.NAME ARGUMENTS : (RESULT)0; }
ALMANAC_CURL_FUNCTIONS(ALMANAC_CURL_DEFINITION)
#undef ALMANAC_CURL_DEFINITION

// libcurl's variadic functions, one for each type of argument, for handles: Swift cannot call variadic functions.

static inline CURLcode almanac_easy_set_long(CURL *easy, CURLoption option, long value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

static inline CURLcode almanac_easy_set_blob(CURL *easy, CURLoption option, const struct curl_blob *value) {
  return almanac_curl.curl_easy_setopt(easy, option, value);
}

/// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION or CURLOPT_READFUNCTION.
static inline CURLcode almanac_easy_set_data_function(
    CURL *easy, CURLoption option, size_t (*function)(char *, size_t, size_t, void *)) {
  return almanac_curl.curl_easy_setopt(easy, option, function);
}

static inline CURLcode almanac_easy_set_progress_function(CURL *easy, curl_xferinfo_callback function) {
  return almanac_curl.curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode almanac_easy_set_prerequest_function(CURL *easy, curl_prereq_callback function) {
  return almanac_curl.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode almanac_easy_set_open_function(CURL *easy, curl_opensocket_callback function) {
  return almanac_curl.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode almanac_easy_set_close_function(CURL *easy, curl_closesocket_callback function) {
  return almanac_curl.curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode almanac_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return almanac_curl.curl_easy_getinfo(easy, info, value);
}

static inline CURLcode almanac_easy_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
  return almanac_curl.curl_easy_getinfo(easy, info, value);
}

/// The value of CURLOPT_PRIVATE; NULL if it was not set.
static inline void almanac_easy_get_private(CURL *easy, void **value) {
  char *pointer = NULL;
  *value = almanac_curl.curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK ? pointer : NULL;
}

/// Reads the TLS session of a running transfer, an `SSL *` of OpenSSL; NULL if its connection is without TLS.
///
/// Returns whether libcurl's TLS library is OpenSSL, or one that presents itself as OpenSSL.
static inline bool almanac_easy_get_openssl_session(CURL *easy, const void **session) {
  struct curl_tlssessioninfo *info = NULL;
  *session = NULL;
  if (almanac_curl.curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return false;
  if (info->backend != CURLSSLBACKEND_OPENSSL) return false;
  *session = info->internals;
  return true;
}

typedef int (*almanac_openssl_question)(const void *session);

/// Finds a function of OpenSSL that reads the state of a session.
///
/// NULL if libcurl does not load OpenSSL as a library.
almanac_openssl_question almanac_find_openssl_question(const char *name);

static inline CURLMcode almanac_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return almanac_curl.curl_multi_setopt(multi, option, value);
}

static inline CURLMcode almanac_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return almanac_curl.curl_multi_setopt(multi, option, value);
}

static inline CURLMcode almanac_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
  return almanac_curl.curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode almanac_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
  return almanac_curl.curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
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
