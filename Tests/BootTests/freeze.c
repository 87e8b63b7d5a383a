// Stops one thread of a process, and only that one, until the process ends.
//
//   freeze PID NAME        the thread called NAME; says `frozen TID` when it stands still
//
// Exit status: 0 when the thread has ended, 1 when there is no such thread or it cannot be traced.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/// The thread of the process that has this name (of 15 characters or less), or 0.
static pid_t thread_named(const char *process, const char *name) {
  char path[300], line[32];
  snprintf(path, sizeof path, "/proc/%s/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) return 0;
  pid_t found = 0;
  for (struct dirent *task; !found && (task = readdir(tasks));) {
    snprintf(path, sizeof path, "/proc/%s/task/%s/comm", process, task->d_name);
    FILE *comm = fopen(path, "r");
    if (!comm) continue;
    if (fgets(line, sizeof line, comm)) {
      line[strcspn(line, "\n")] = 0;
      if (strcmp(line, name) == 0) found = atoi(task->d_name);
    }
    fclose(comm);
  }
  closedir(tasks);
  return found;
}

int main(int count, char **words) {
  if (count != 3) return fputs("usage: freeze PID NAME\n", stderr), 64;
  pid_t thread = thread_named(words[1], words[2]);
  if (thread == 0) return fprintf(stderr, "process %s has no thread %s\n", words[1], words[2]), 1;
  if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0)
    return fprintf(stderr, "thread %d: %s\n", thread, strerror(errno)), 1;

  // The first stop is ours. A traced thread stays until its tracer has waited for its end, and the process with it.
  for (int status, said = 0; waitpid(thread, &status, __WALL) == thread;) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) return 0;
    if (!said) printf("frozen %d\n", thread), fflush(stdout), said = 1;
  }
  return 0;
}
