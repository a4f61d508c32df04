// SPDX-License-Identifier: Apache-2.0

// The baseline: libcurl in a C program with many concurrent requests. It has one thread, curl_multi_socket_action with epoll, and
// an easy handle for each concurrent request, which is set up once and reused for the next request.
//
//   libcurl URL CONCURRENCY SECONDS

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#define BODY_CAPACITY 65536
#define WARM_UP_SECONDS 0.3

struct request {
  CURL *easy;
  size_t received;
  char body[BODY_CAPACITY];
};

static long timeout = -1;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static size_t write_body(char *bytes, size_t size, size_t count, void *data) {
  struct request *request = data;
  count *= size;
  if (request->received + count > BODY_CAPACITY) return 0;
  memcpy(request->body + request->received, bytes, count);
  request->received += count;
  return count;
}

static CURLM *multi;

// Called twice for every request, to start and to stop watching its socket.
static int watch(CURL *easy, curl_socket_t socket, int interest, void *data, void *known) {
  (void)easy;
  int epoll = *(int *)data;
  struct epoll_event event = {.data.fd = socket};
  if (interest & CURL_POLL_IN) event.events |= EPOLLIN;
  if (interest & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (interest == CURL_POLL_REMOVE) {
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL);
  } else {
    epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(multi, socket, data);
  }
  return 0;
}

static int set_timer(CURLM *unused, long milliseconds, void *data) {
  (void)unused;
  (void)data;
  timeout = milliseconds;
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: libcurl URL CONCURRENCY SECONDS\n");
    return 2;
  }
  long concurrency = atol(argv[2]);
  double seconds = atof(argv[3]);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, &epoll);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, concurrency);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, concurrency);
  struct request *requests = calloc((size_t)concurrency, sizeof *requests);
  for (long index = 0; index < concurrency; index++) {
    CURL *easy = requests[index].easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &requests[index]);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &requests[index]);
    curl_multi_add_handle(multi, easy);
  }

  long count = 0, failures = 0;
  int running = 0, is_measured = 0;
  double start = now(), start_cpu = 0, end = start + WARM_UP_SECONDS, time;
  struct epoll_event events[512];
  while (1) {
    time = now();
    if (time >= end) {
      if (is_measured) break;
      is_measured = 1;
      count = failures = 0;
      start_cpu = cpu();
      start = now();
      end = start + seconds;
    }
    if (timeout == 0) {
      timeout = -1;
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    } else {
      int ready = epoll_wait(epoll, events, 512, timeout < 0 || timeout > 100 ? 100 : (int)timeout);
      for (int index = 0; index < ready; index++) {
        int action = 0;
        if (events[index].events & (EPOLLIN | EPOLLHUP)) action |= CURL_CSELECT_IN;
        if (events[index].events & EPOLLOUT) action |= CURL_CSELECT_OUT;
        if (events[index].events & EPOLLERR) action |= CURL_CSELECT_ERR;
        curl_multi_socket_action(multi, events[index].data.fd, action, &running);
      }
      if (ready == 0 && timeout >= 0) curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      struct request *request;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&request);
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result == CURLE_OK && status == 200 && request->received == 1024) count++;
      else failures++;
      request->received = 0;
      curl_multi_remove_handle(multi, easy);
      curl_multi_add_handle(multi, easy);
    }
  }
  double elapsed = now() - start, used = cpu() - start_cpu;
  printf("{\"client\":\"libcurl\",\"concurrency\":%ld,\"requests\":%ld,\"failures\":%ld,\"seconds\":%.6f,\"cpu\":%.6f}\n",
         concurrency, count, failures, elapsed, used);
  return 0;
}
