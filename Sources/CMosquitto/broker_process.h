// Starts the broker as a child that cannot outlive the thread that started it.
#ifndef GRAMPAD_BROKER_PROCESS_H
#define GRAMPAD_BROKER_PROCESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <unistd.h>

// memfd_create and pipe2, which Swift's Glibc module lacks; both close on exec, the pipe's reading end does not block.
static inline int broker_process_memory(void) { return memfd_create("mosquitto.conf", MFD_CLOEXEC); }
static inline int broker_process_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

// Forks and executes `path`; standard error goes to `log`, descriptor 3 is `configuration`, both 10 or higher here.
// With `drops` the child becomes `user` and `group` first: a change of user after PR_SET_PDEATHSIG would undo it.
// posix_spawn has no PR_SET_PDEATHSIG; between fork and execve only async-signal-safe calls are made.
// Returns the child's process id, or -1 with errno.
static inline pid_t broker_process_start(
    const char *path, char *const arguments[], int configuration, int log, bool drops, uid_t user, gid_t group) {
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // A group of its own: Control-C in a terminal is for the appliance, which still has to say goodbye through us.
    setpgid(0, 0);
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(log, 2) < 0 || dup2(configuration, 3) < 0) _exit(126);
    close_range(4, ~0U, 0);
    if (drops && (setgroups(1, &group) != 0 || setgid(group) != 0 || setuid(user) != 0)) _exit(126);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(126);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    // Nothing of our environment: it may hold passwords, and the address of a supervisor whom the child would notify.
    char *const environment[] = {NULL};
    execve(path, arguments, environment);
    _exit(127);
  }
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return child;
}

#endif
