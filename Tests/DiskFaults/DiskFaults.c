#define _GNU_SOURCE
#include "CDiskFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Definitions in the program precede those of the C library, also for the calls of SQLite (ld.so(8)). They are below SQLite and below
// the page cache of the kernel: what was written before an error is there for the next process.

enum { DESCRIPTORS = 1024 };

static char prefix[512];
static struct disk_faults faults;
static bool watched[DESCRIPTORS];
static uint64_t state, failures;
static uint32_t disturbance;

void disk_faults_begin(const char *path, struct disk_faults wanted) {
  strncpy(prefix, path, sizeof prefix - 1);
  faults = wanted;
  state = wanted.seed * 0x9e3779b97f4a7c15 + 1;
}

uint64_t disk_faults_count(void) { return failures; }

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016)
static uint32_t below(uint32_t limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 0x2545f4914f6cdd1d) >> 32) % limit;
}

static void may_kill(void) {
  if (below(2000000) < faults.kills) kill(getpid(), SIGKILL);
}

/// Whether the next call fails.
static bool fails(void) {
  static const uint32_t lengths[] = {1, 1, 1, 2, 4, 10, 40, 300};
  may_kill();
  if (disturbance == 0) {
    if (below(1000000) >= faults.disturbances) return false;
    disturbance = lengths[below(8)];
  }
  disturbance -= 1;
  if (below(4) == 0) return false;
  failures += 1;
  return true;
}

static int failure(void) { return below(4) ? EIO : ENOSPC; }

static bool is_watched(int file) { return file >= 0 && file < DESCRIPTORS && watched[file]; }

static int opened(const char *path, int flags, mode_t mode) {
  bool match = *prefix && strncmp(path, prefix, strlen(prefix)) == 0;
  if (match && fails()) {
    errno = EIO;
    return -1;
  }
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
  if (file >= 0 && file < DESCRIPTORS) watched[file] = match;
  return file;
}

#define OPEN(NAME)                                \
  int NAME(const char *path, int flags, ...) {    \
    mode_t mode = 0;                              \
    if (flags & (O_CREAT | __O_TMPFILE)) {        \
      va_list arguments;                          \
      va_start(arguments, flags);                 \
      mode = va_arg(arguments, mode_t);           \
      va_end(arguments);                          \
    }                                             \
    return opened(path, flags, mode);             \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (file >= 0 && file < DESCRIPTORS) watched[file] = false;
  return (int)syscall(SYS_close, file);
}

static ssize_t written(int file, const void *bytes, size_t count, off_t offset) {
  bool is_disturbed = is_watched(file) && fails();
  // Failed, it may have written a part, or everything.
  size_t part = is_disturbed && count > 0 ? below(3) == 0 ? count : below((uint32_t)count) : count;
  ssize_t result = offset < 0 ? syscall(SYS_write, file, bytes, part) : syscall(SYS_pwrite64, file, bytes, part, offset);
  if (is_watched(file)) may_kill();
  if (!is_disturbed) return result;
  errno = failure();
  return -1;
}

ssize_t write(int file, const void *bytes, size_t count) { return written(file, bytes, count, -1); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return written(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return written(file, bytes, count, offset); }

static ssize_t bytes_read(long call, int file, void *bytes, size_t count, off_t offset) {
  if (is_watched(file) && fails()) {
    errno = EIO;
    return -1;
  }
  return syscall(call, file, bytes, count, offset);
}

ssize_t read(int file, void *bytes, size_t count) { return bytes_read(SYS_read, file, bytes, count, 0); }
ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return bytes_read(SYS_pread64, file, bytes, count, offset); }
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) { return bytes_read(SYS_pread64, file, bytes, count, offset); }

/// `SYS_fsync` and the like: fails before it has done anything.
static int synced(long call, int file, off_t length) {
  if (is_watched(file) && fails()) {
    errno = failure();
    return -1;
  }
  int result = (int)syscall(call, file, length);
  if (is_watched(file)) may_kill();
  return result;
}

int fsync(int file) { return synced(SYS_fsync, file, 0); }
int fdatasync(int file) { return synced(SYS_fdatasync, file, 0); }
int ftruncate(int file, off_t length) { return synced(SYS_ftruncate, file, length); }
int ftruncate64(int file, off64_t length) { return synced(SYS_ftruncate, file, length); }
