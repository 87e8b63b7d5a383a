// freeze PROCESS NAME: stops one thread of a process, the one of that name (see `ps -L -o comm`), as if it hung.
//
// Says `frozen THREAD` once it stands still, and holds it until this program ends, by SIGTERM say; then it goes on. Ends
// by itself when the thread has been killed. Needs root, or a kernel that lets a user trace all that is his:
// /proc/sys/kernel/yama/ptrace_scope is 0 or does not exist. Exit status 1 and the reason on standard error else.
//
//   cc -o freeze Tests/BootTests/freeze.c && ./freeze "$(systemctl show --property MainPID --value grampad)" weighing
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

// Returns the thread of a process with this name, or 0 if there is no such thread.
static pid_t thread_named(const char *process, const char *name) {
  char path[300], text[32] = "";
  snprintf(path, sizeof path, "/proc/%s/task", process);
  DIR *threads = opendir(path);
  for (struct dirent *entry; threads && (entry = readdir(threads));) {
    snprintf(path, sizeof path, "/proc/%s/task/%s/comm", process, entry->d_name);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    char *line = fgets(text, sizeof text, file);
    fclose(file);
    if (!line) continue;
    text[strcspn(text, "\n")] = 0;
    if (strcmp(text, name) == 0) return atoi(entry->d_name);
  }
  return 0;
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: freeze PROCESS NAME\n");
    return 1;
  }
  pid_t thread = thread_named(words[1], words[2]);
  if (!thread) {
    fprintf(stderr, "freeze: process %s has no thread %s\n", words[1], words[2]);
    return 1;
  }
  int status;
  // Unlike a stop signal, which stops every thread, this stops but the one; ptrace(2).
  if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0 ||
      waitpid(thread, &status, __WALL) != thread) {
    perror("freeze");
    return 1;
  }
  printf("frozen %d\n", thread);
  fflush(stdout);
  // A killed thread has to be waited for here, or its process would not be gone for its parent.
  while (waitpid(thread, &status, __WALL) == thread && !WIFEXITED(status) && !WIFSIGNALED(status)) continue;
  return 0;
}
