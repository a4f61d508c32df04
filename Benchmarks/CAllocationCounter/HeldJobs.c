// SPDX-License-Identifier: Apache-2.0

// The concurrency runtime passes every job for its pool of threads to a hook, if there is one. The declarations are those of its
// stable binary interface.
#include "CAllocationCounter.h"

#include <pthread.h>
#include <stddef.h>

#if defined(__GLIBC__)
#define SWIFT __attribute__((swiftcall))

/// The start of a job. The scheduler that has the job may use `next`.
typedef struct job {
  void *header[2];
  struct job *next;
} job;

typedef SWIFT void scheduler(job *job);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(job *job, scheduler *original);
extern SWIFT void swift_job_run(job *job, void *executor, void *witness_table);

// Jobs can come from any thread.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static job *first;
static job **end = &first;

static SWIFT void hold(job *job, scheduler *original) {
  (void)original;
  pthread_mutex_lock(&mutex);
  job->next = NULL;
  *end = job;
  end = &job->next;
  pthread_mutex_unlock(&mutex);
}

static job *next_job(void) {
  pthread_mutex_lock(&mutex);
  job *job = first;
  if (job != NULL && (first = job->next) == NULL) end = &first;
  pthread_mutex_unlock(&mutex);
  return job;
}

void held_jobs_start(void) { swift_task_enqueueGlobal_hook = hold; }

void held_jobs_run(void) {
  // Without an executor, a job runs as in the pool.
  for (job *job = next_job(); job != NULL; job = next_job()) swift_job_run(job, NULL, NULL);
}
#else
void held_jobs_start(void) {}
void held_jobs_run(void) {}
#endif
