#include "TaskHook.h"

#include <stddef.h>

// Swift's runtime has this hook for those who bring an executor of their own; it and the calling convention of what it
// points to are part of its stable interface (swift/Runtime/Concurrency.h of the compiler's sources, since 5.5).
typedef __attribute__((swiftcall)) void (*original)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, original proceed);

// SerialExecutorRef; all zeros is the generic one, on which tasks run that belong to no actor.
typedef struct {
  void *identity;
  size_t implementation;
} executor;
extern __attribute__((swiftcall)) void swift_job_run(void *job, executor on);

static void (*taker)(void *job);

static __attribute__((swiftcall)) void enqueue(void *job, original proceed) {
  (void)proceed;
  taker(job);
}

void grampad_hook_tasks(void (*take)(void *job)) {
  taker = take;
  swift_task_enqueueGlobal_hook = enqueue;
}

void grampad_run_job(void *job) { swift_job_run(job, (executor){NULL, 0}); }
