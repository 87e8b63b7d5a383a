// The resources that a process uses in all its threads. See proc(5), clock_getcpuclockid(3).
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

// User and system time of all threads, in seconds.
static double cpu(pid_t process) {
  clockid_t clock;
  struct timespec t = {0, 0};
  if (!clock_getcpuclockid(process, &clock)) clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// The sum of the fields whose names end in `name`.
static long field(const char *path, const char *name) {
  char line[256];
  long sum = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *found = strstr(line, name);
    if (found) sum += atol(found + strlen(name));
  }
  if (file) fclose(file);
  return sum;
}

// Resident memory in kibibytes.
static long resident(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  return field(path, "VmRSS:");
}

// Voluntary and involuntary context switches of all threads.
static long switches(pid_t process) {
  char path[512];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  long sum = 0;
  DIR *tasks = opendir(path);
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/status", process, task->d_name);
    sum += field(path, "voluntary_ctxt_switches:");
  }
  if (tasks) closedir(tasks);
  return sum;
}
