#ifndef GRAMPAD_TASK_HOOK_H
#define GRAMPAD_TASK_HOOK_H

// Has `take` take every job that Swift would give to its global executor, instead of it. A job is to be run once, on any
// thread. To be called before there is any task.
void grampad_hook_tasks(void (*_Nonnull take)(void *_Nonnull job));

// Runs a job on the calling thread.
void grampad_run_job(void *_Nonnull job);

#endif
