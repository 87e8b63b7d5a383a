#define _GNU_SOURCE
#include "CSimulatedDisk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

// Definitions in the program precede those of the C library, also for the calls of SQLite (ld.so(8)). They are below SQLite's own
// layer for Unix, so that the order in which it syncs files and folders is under test, too.

enum {
  NAMES = 48,
  NAME_SIZE = 96,
  /// What the kernel writes at once.
  PAGE = 4096,
  FIRST_DESCRIPTOR = 1 << 24,
  DESCRIPTORS = 1024,
  /// SQLite's index of its log: larger ones do not occur.
  SHARED_SIZE = 1 << 20,
  AREAS = 2 * SIMULATED_DISKS,
};

/// The definition that this one precedes.
#define REAL(TYPE, NAME, ...)                                    \
  static TYPE (*real)(__VA_ARGS__);                              \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, NAME)

struct bytes {
  uint8_t *start;
  size_t size, capacity;
};

/// What a file was after a call that was not synced: the pages that it changed, and the size.
struct change {
  size_t offset, length, content, size;
};

struct file {
  struct file *next;
  uint64_t number;
  struct bytes content, synced;
  struct change *changes;
  size_t change_count, change_capacity;
  /// The pages of the changes.
  struct bytes pages;
  unsigned open, marked;
  /// Whether the content is mapped, and therefore must not move.
  bool is_shared;
};

struct entry {
  char name[NAME_SIZE];
  struct file *file;
};

struct folder {
  size_t count;
  struct entry entries[NAMES];
};

struct disk {
  uint64_t random, changes;
  uint32_t sector, stop_after, epoch;
  /// The calls that remain of a disturbance.
  uint32_t disturbance;
  bool is_stopped, is_traced;
  struct simulated_disk_faults faults;
  struct file *files;
  struct folder current, synced;
  /// What the folder was after each change that was not synced.
  struct folder *states;
  size_t state_count, state_capacity;
};

struct descriptor {
  struct file *file;
  int disk, flags;
  uint32_t epoch;
  off_t position;
  bool is_used, is_folder;
};

static struct disk disks[SIMULATED_DISKS];
static struct descriptor descriptors[DESCRIPTORS];
static uint64_t last_number;
static _Thread_local bool skips_waits;
/// Where the shared files are.
static uint8_t *pool;
static bool is_taken[AREAS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Chance

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016)
static uint64_t next(struct disk *disk) {
  disk->random ^= disk->random >> 12;
  disk->random ^= disk->random << 25;
  disk->random ^= disk->random >> 27;
  return disk->random * 0x2545f4914f6cdd1d;
}

static uint64_t below(struct disk *disk, uint64_t limit) { return limit ? (next(disk) >> 16) % limit : 0; }

static bool occurs(struct disk *disk, uint32_t one_in) { return one_in && below(disk, one_in) == 0; }

/// Whether a call fails for a disturbance.
static bool is_disturbed(struct disk *disk) {
  static const uint32_t lengths[] = {1, 1, 1, 2, 4, 10, 40, 300};
  if (disk->disturbance == 0) {
    if (!occurs(disk, disk->faults.disturbances)) return false;
    disk->disturbance = lengths[below(disk, 8)];
  }
  disk->disturbance--;
  if (below(disk, 4) == 0) return false;
  errno = below(disk, 4) ? EIO : ENOSPC;
  return true;
}

// Bytes

/// Sets the size; new bytes are zeros.
static void resize(struct bytes *bytes, size_t size) {
  if (size > bytes->capacity) {
    size_t capacity = bytes->capacity ? bytes->capacity : 8 * PAGE;
    while (capacity < size) capacity *= 2;
    bytes->start = realloc(bytes->start, capacity);
    memset(bytes->start + bytes->capacity, 0, capacity - bytes->capacity);
    bytes->capacity = capacity;
  }
  if (size < bytes->size) memset(bytes->start + size, 0, bytes->size - size);
  bytes->size = size;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Files

static struct file *make_file(struct disk *disk, bool is_shared) {
  struct file *file = calloc(1, sizeof *file);
  file->number = ++last_number;
  file->next = disk->files;
  file->is_shared = is_shared;
  disk->files = file;
  if (!is_shared) return file;
  if (!pool) {
    REAL(void *, "mmap", void *, size_t, int, int, int, off_t);
    pool = real(NULL, AREAS * SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  size_t area = 0;
  while (is_taken[area]) area = (area + 1) % AREAS;
  is_taken[area] = true;
  file->content.start = pool + area * SHARED_SIZE;
  file->content.capacity = SHARED_SIZE;
  return file;
}

static void free_file(struct file *file) {
  if (file->is_shared) {
    resize(&file->content, 0);
    is_taken[(size_t)(file->content.start - pool) / SHARED_SIZE] = false;
  } else {
    free(file->content.start);
  }
  free(file->synced.start);
  free(file->pages.start);
  free(file->changes);
  free(file);
}

static void mark(struct folder *folder) {
  for (size_t i = 0; i < folder->count; i++) folder->entries[i].file->marked = 1;
}

/// Frees deleted files that are not open.
static void collect(struct disk *disk) {
  mark(&disk->current);
  mark(&disk->synced);
  for (size_t i = 0; i < disk->state_count; i++) mark(&disk->states[i]);
  for (struct file **link = &disk->files; *link;) {
    struct file *file = *link;
    if (file->marked || file->open) {
      file->marked = 0;
      link = &file->next;
    } else {
      *link = file->next;
      free_file(file);
    }
  }
}

/// Notes the pages from `offset` on as they are now, and the size.
static void note_change(struct file *file, size_t offset, size_t length) {
  if (file->is_shared) return;
  if (file->change_count == file->change_capacity) {
    file->change_capacity = file->change_capacity ? 2 * file->change_capacity : 32;
    file->changes = realloc(file->changes, file->change_capacity * sizeof *file->changes);
  }
  size_t start = offset / PAGE * PAGE;
  size_t end = length ? smaller((offset + length + PAGE - 1) / PAGE * PAGE, file->content.size) : start;
  if (end < start) end = start;
  struct change change = {start, end - start, file->pages.size, file->content.size};
  resize(&file->pages, file->pages.size + change.length);
  memcpy(file->pages.start + change.content, file->content.start + start, change.length);
  file->changes[file->change_count++] = change;
}

static void forget_changes(struct file *file) {
  file->change_count = 0;
  file->pages.size = 0;
}

static void copy_synced(struct file *file, size_t offset, size_t length) {
  if (offset >= file->content.size || offset >= file->synced.size) return;
  length = smaller(length, smaller(file->content.size, file->synced.size) - offset);
  memcpy(file->synced.start + offset, file->content.start + offset, length);
}

/// Writes what is not synced.
///
/// @param one_in How many of the pages of a failed sync were written; 0 for all, because it succeeded.
static void sync_file(struct disk *disk, struct file *file, uint32_t one_in) {
  if (one_in == 0 || occurs(disk, one_in)) {
    // What was cut off is gone, also if the file has grown again.
    for (size_t i = 0; i < file->change_count; i++) {
      if (file->changes[i].size < file->synced.size) resize(&file->synced, file->changes[i].size);
    }
    resize(&file->synced, file->content.size);
  }
  for (size_t i = 0; i < file->change_count; i++) {
    struct change change = file->changes[i];
    for (size_t offset = change.offset; offset < change.offset + change.length; offset += PAGE) {
      if (one_in == 0 || occurs(disk, one_in)) copy_synced(file, offset, PAGE);
    }
  }
  forget_changes(file);
}

/// What remains of a file without power.
static void cut_power(struct disk *disk, struct file *file) {
  enum { ALL_LOST, ALL_KEPT, IN_ORDER, IN_ANY_ORDER, MODES };
  size_t count = file->change_count;
  uint64_t mode = below(disk, MODES);
  // Changes before this one are kept, of all sectors or of each one by itself, and so is the size.
  size_t order = mode == ALL_LOST ? 0 : mode == ALL_KEPT ? count : below(disk, count + 1);
  size_t last_size = mode == IN_ANY_ORDER ? below(disk, count + 1) : order;
  size_t size = last_size ? file->changes[last_size - 1].size : file->synced.size;
  uint64_t salt = next(disk) | 1;
  for (size_t i = 0; i < count; i++) {
    struct change change = file->changes[i];
    if (i < last_size && change.size < file->synced.size) resize(&file->synced, change.size);
    size_t end = change.offset + change.length;
    if (end > file->synced.size) resize(&file->synced, end);
    for (size_t offset = change.offset; offset < end; offset += disk->sector) {
      bool is_kept = i < order;
      // Some sectors of the call that was under way.
      if (mode == IN_ORDER && i == order) is_kept = below(disk, 2);
      if (mode == IN_ANY_ORDER) is_kept = i < ((offset / disk->sector + 1) * salt >> 20) % (count + 1);
      if (!is_kept) continue;
      size_t length = smaller(disk->sector, end - offset);
      memcpy(file->synced.start + offset, file->pages.start + change.content + offset - change.offset, length);
    }
  }
  resize(&file->synced, size);
  forget_changes(file);
  resize(&file->content, 0);
  resize(&file->content, size);
  if (size) memcpy(file->content.start, file->synced.start, size);
}

// Folders

static struct file *find(const struct folder *folder, const char *name) {
  for (size_t i = 0; i < folder->count; i++) {
    if (strcmp(folder->entries[i].name, name) == 0) return folder->entries[i].file;
  }
  return NULL;
}

/// Gives a file a name, or removes the name.
static void set(struct folder *folder, const char *name, struct file *file) {
  size_t place = 0;
  while (place < folder->count && strcmp(folder->entries[place].name, name)) place++;
  if (!file) {
    if (place < folder->count) folder->entries[place] = folder->entries[--folder->count];
    return;
  }
  if (place == folder->count) {
    if (folder->count == NAMES) abort();
    strncpy(folder->entries[place].name, name, NAME_SIZE - 1);
    folder->count++;
  }
  folder->entries[place].file = file;
}

/// Notes the folder as it is now.
static void note_state(struct disk *disk) {
  if (disk->state_count == disk->state_capacity) {
    disk->state_capacity = disk->state_capacity ? 2 * disk->state_capacity : 8;
    disk->states = realloc(disk->states, disk->state_capacity * sizeof *disk->states);
  }
  disk->states[disk->state_count++] = disk->current;
}

static void sync_folder(struct disk *disk) {
  disk->synced = disk->current;
  disk->state_count = 0;
}

// Disks

static struct disk *empty(int number, uint64_t seed, uint32_t sector) {
  struct disk *disk = &disks[number];
  disk->current.count = disk->synced.count = disk->state_count = 0;
  for (struct file *file = disk->files; file; file = file->next) file->open = 0;
  for (int i = 0; i < DESCRIPTORS; i++) {
    if (descriptors[i].is_used && descriptors[i].disk == number) descriptors[i].file = NULL;
  }
  collect(disk);
  disk->epoch++;
  disk->random = seed * 0x9e3779b97f4a7c15 + 1;
  disk->sector = sector;
  disk->changes = disk->stop_after = disk->disturbance = 0;
  disk->is_stopped = false;
  disk->faults = (struct simulated_disk_faults){0};
  return disk;
}

void simulated_disk_reset(int disk, uint64_t seed, uint32_t sector) {
  pthread_mutex_lock(&lock);
  empty(disk, seed, sector);
  pthread_mutex_unlock(&lock);
}

void simulated_disk_copy(int number, int original, uint64_t seed, uint32_t sector) {
  pthread_mutex_lock(&lock);
  struct disk *disk = empty(number, seed, sector);
  const struct folder *folder = &disks[original].current;
  for (size_t i = 0; i < folder->count; i++) {
    struct file *source = folder->entries[i].file;
    if (source->is_shared) continue;
    struct file *file = make_file(disk, false);
    resize(&file->content, source->content.size);
    resize(&file->synced, source->content.size);
    if (source->content.size) {
      memcpy(file->content.start, source->content.start, source->content.size);
      memcpy(file->synced.start, source->content.start, source->content.size);
    }
    set(&disk->current, folder->entries[i].name, file);
  }
  sync_folder(disk);
  pthread_mutex_unlock(&lock);
}

void simulated_disk_set_faults(int disk, struct simulated_disk_faults faults) {
  disks[disk].faults = faults;
  disks[disk].disturbance = 0;
}

void simulated_disk_stop_after(int disk, uint32_t changes) { disks[disk].stop_after = changes; }
void simulated_disk_stop(int disk) { disks[disk].is_stopped = true; }
bool simulated_disk_is_stopped(int disk) { return disks[disk].is_stopped; }
uint64_t simulated_disk_changes(int disk) { return disks[disk].changes; }
void simulated_disk_trace(int disk, bool is_traced) { disks[disk].is_traced = is_traced; }
void simulated_disk_skip_waits(bool is_skipped) { skips_waits = is_skipped; }

const char *simulated_disk_name(int disk, size_t place) {
  return place < disks[disk].current.count ? disks[disk].current.entries[place].name : NULL;
}

void simulated_disk_restart(int number, enum simulated_disk_end end) {
  pthread_mutex_lock(&lock);
  struct disk *disk = &disks[number];
  disk->epoch++;
  disk->is_stopped = false;
  disk->stop_after = 0;
  if (end == SIMULATED_DISK_POWER_CUT) {
    uint64_t state = below(disk, disk->state_count + 1);
    disk->current = state ? disk->states[state - 1] : disk->synced;
    sync_folder(disk);
    for (size_t i = disk->current.count; i-- > 0;) {
      struct entry entry = disk->current.entries[i];
      if (entry.file->is_shared) {
        set(&disk->current, entry.name, NULL);
      } else {
        cut_power(disk, entry.file);
      }
    }
    sync_folder(disk);
  }
  collect(disk);
  pthread_mutex_unlock(&lock);
}

uint32_t simulated_disk_flip(int number, const char *suffix, uint32_t bits) {
  struct disk *disk = &disks[number];
  size_t length = strlen(suffix);
  for (size_t i = 0; i < disk->current.count; i++) {
    struct entry entry = disk->current.entries[i];
    size_t name = strlen(entry.name);
    if (name < length || strcmp(entry.name + name - length, suffix) || !entry.file->content.size) continue;
    for (uint32_t bit = 0; bit < bits; bit++) {
      size_t place = below(disk, entry.file->content.size);
      uint8_t mask = 1 << below(disk, 8);
      entry.file->content.start[place] ^= mask;
      if (place < entry.file->synced.size) entry.file->synced.start[place] ^= mask;
    }
    return bits;
  }
  return 0;
}

static const char *name_of(const struct disk *disk, const struct file *file) {
  for (size_t i = 0; i < disk->current.count; i++) {
    if (disk->current.entries[i].file == file) return disk->current.entries[i].name;
  }
  return file ? "(no name)" : "(folder)";
}

/// Whether a change may begin, unless the disk stops with it. `part` becomes the number of bytes of it that are done.
static bool may_change(struct disk *disk, size_t *part, const char *call, const struct file *file, size_t offset) {
  if (disk->is_traced && !(file && file->is_shared)) {
    fprintf(stderr, "%s %s %zu+%zu\n", call, name_of(disk, file), offset, part ? *part : 0);
  }
  if (disk->is_stopped) {
    errno = EIO;
    return false;
  }
  disk->changes++;
  if (disk->faults.is_read_only) {
    errno = EROFS;
    return false;
  }
  if (disk->stop_after == 0 || --disk->stop_after > 0) return true;
  disk->is_stopped = true;
  if (part) *part = below(disk, *part + 1);
  errno = EIO;
  return part != NULL;
}

// Paths and descriptors

/// The disk of a path, and the name of the file on it: empty for the folder. -1 for any other path.
static int disk_of(const char *path, const char **name) {
  static const char root[] = SIMULATED_DISK_ROOT;
  if (path[0] != '/' || path[1] != 's' || strncmp(path, root, sizeof root - 2)) return -1;
  const char *rest = path + sizeof root - 2;
  if (*rest && *rest++ != '/') return -1;
  char *end;
  long number = strtol(rest, &end, 10);
  if (end == rest || number < 0 || number >= SIMULATED_DISKS || (*end && *end != '/')) return -1;
  *name = *end ? end + 1 : end;
  return (int)number;
}

static struct descriptor *descriptor_of(int number) {
  if (number < FIRST_DESCRIPTOR || number >= FIRST_DESCRIPTOR + DESCRIPTORS) return NULL;
  struct descriptor *descriptor = &descriptors[number - FIRST_DESCRIPTOR];
  return descriptor->is_used ? descriptor : NULL;
}

/// The disk of a descriptor; NULL, with EIO, once it has stopped or was restarted.
static struct disk *served(const struct descriptor *descriptor) {
  struct disk *disk = &disks[descriptor->disk];
  if (!disk->is_stopped && disk->epoch == descriptor->epoch) return disk;
  errno = EIO;
  return NULL;
}

static int describe(const struct file *file, const struct folder *folder, int disk, struct stat *status) {
  memset(status, 0, sizeof *status);
  status->st_dev = 0x51570000 + (unsigned)disk;
  status->st_uid = geteuid();
  status->st_gid = getegid();
  status->st_blksize = PAGE;
  if (!file) {
    status->st_mode = S_IFDIR | 0750;
    status->st_nlink = 2;
    status->st_ino = 1;
    return 0;
  }
  status->st_mode = S_IFREG | 0640;
  status->st_ino = file->number + 1;
  status->st_size = (off_t)file->content.size;
  status->st_blocks = (status->st_size + 511) / 512;
  for (size_t i = 0; i < folder->count; i++) status->st_nlink += folder->entries[i].file == file;
  return 0;
}

static int status_of_path(int number, const char *name, struct stat *status) {
  struct disk *disk = &disks[number];
  struct file *file = find(&disk->current, name);
  if (disk->is_stopped || (*name && !file)) {
    errno = disk->is_stopped ? EIO : ENOENT;
    return -1;
  }
  return describe(file, &disk->current, number, status);
}

static struct file *create(struct disk *disk, const char *name) {
  if (disk->faults.is_full) {
    errno = ENOSPC;
    return NULL;
  }
  if (!may_change(disk, NULL, "create", NULL, 0)) return NULL;
  size_t length = strlen(name);
  struct file *file = make_file(disk, length > 4 && strcmp(name + length - 4, "-shm") == 0);
  set(&disk->current, name, file);
  note_state(disk);
  return file;
}

static int open_file(int number, const char *name, int flags) {
  struct disk *disk = &disks[number];
  struct file *file = find(&disk->current, name);
  if (disk->is_stopped || is_disturbed(disk)) return errno = EIO, -1;
  if (!*name && (flags & O_ACCMODE) != O_RDONLY) return errno = EISDIR, -1;
  if (*name && !file && !(flags & O_CREAT)) return errno = ENOENT, -1;
  if (file && (flags & O_CREAT) && (flags & O_EXCL)) return errno = EEXIST, -1;
  if (file && (flags & O_ACCMODE) != O_RDONLY && disk->faults.is_read_only) return errno = EROFS, -1;
  if (*name && !file && !(file = create(disk, name))) return -1;
  int place = 0;
  while (place < DESCRIPTORS && descriptors[place].is_used) place++;
  if (place == DESCRIPTORS) return errno = EMFILE, -1;
  descriptors[place] = (struct descriptor){file, number, flags, disk->epoch, 0, true, !file};
  if (!file) return FIRST_DESCRIPTOR + place;
  file->open++;
  if (flags & O_TRUNC && file->content.size && may_change(disk, NULL, "truncate", file, 0)) {
    resize(&file->content, 0);
    note_change(file, 0, 0);
  }
  return FIRST_DESCRIPTOR + place;
}

static int close_file(struct descriptor *descriptor) {
  struct disk *disk = &disks[descriptor->disk];
  descriptor->is_used = false;
  // A disk that was emptied has let go of its files.
  if (descriptor->file && --descriptor->file->open == 0) collect(disk);
  return 0;
}

static ssize_t read_file(struct descriptor *descriptor, void *bytes, size_t count, off_t offset) {
  struct disk *disk = served(descriptor);
  if (!disk) return -1;
  if (descriptor->is_folder) return errno = EISDIR, -1;
  if (is_disturbed(disk)) return errno = EIO, -1;
  const struct bytes *content = &descriptor->file->content;
  if ((size_t)offset >= content->size) return 0;
  count = smaller(count, content->size - (size_t)offset);
  memcpy(bytes, content->start + offset, count);
  return (ssize_t)count;
}

static ssize_t write_file(struct descriptor *descriptor, const void *bytes, size_t count, off_t offset) {
  struct disk *disk = served(descriptor);
  if (!disk) return -1;
  struct file *file = descriptor->file;
  if ((descriptor->flags & O_ACCMODE) == O_RDONLY) return errno = EBADF, -1;
  size_t end = (size_t)offset + count;
  if (disk->faults.is_full && end > file->content.size) return errno = ENOSPC, -1;
  size_t part = count;
  if (!may_change(disk, &part, "write", file, (size_t)offset)) return -1;
  int failure = disk->is_stopped ? EIO : 0;
  if (!failure && is_disturbed(disk)) {
    failure = errno;
    part = below(disk, 3) ? below(disk, count) : count;
  }
  if (part) {
    if ((size_t)offset + part > file->content.size) resize(&file->content, (size_t)offset + part);
    memcpy(file->content.start + offset, bytes, part);
    note_change(file, (size_t)offset, part);
  }
  if (!failure) return (ssize_t)count;
  errno = failure;
  return -1;
}

static int sync_descriptor(struct descriptor *descriptor) {
  struct disk *disk = served(descriptor);
  if (!disk || !may_change(disk, NULL, "sync", descriptor->file, 0) || is_disturbed(disk)) return -1;
  bool fails = occurs(disk, disk->faults.failed_syncs);
  if (!disk->faults.lies && !descriptor->is_folder) sync_file(disk, descriptor->file, fails ? 2 : 0);
  if (!disk->faults.lies && descriptor->is_folder && !fails) sync_folder(disk);
  if (!fails) return 0;
  errno = EIO;
  return -1;
}

static int resize_file(struct descriptor *descriptor, off_t size, bool only_grows) {
  struct disk *disk = served(descriptor);
  if (!disk) return -1;
  struct file *file = descriptor->file;
  if ((descriptor->flags & O_ACCMODE) == O_RDONLY) return errno = EBADF, -1;
  if (only_grows && (size_t)size <= file->content.size) return 0;
  if (disk->faults.is_full && (size_t)size > file->content.size) return errno = ENOSPC, -1;
  if (!may_change(disk, NULL, "resize", file, (size_t)size) || is_disturbed(disk)) return -1;
  resize(&file->content, (size_t)size);
  note_change(file, (size_t)size, 0);
  return 0;
}

static int unlink_file(int number, const char *name) {
  struct disk *disk = &disks[number];
  if (!disk->is_stopped && !find(&disk->current, name)) return errno = ENOENT, -1;
  if (!may_change(disk, NULL, "unlink", find(&disk->current, name), 0)) return -1;
  set(&disk->current, name, NULL);
  note_state(disk);
  return 0;
}

static int rename_file(int number, const char *name, const char *new_name) {
  struct disk *disk = &disks[number];
  struct file *file = find(&disk->current, name);
  if (!disk->is_stopped && !file) return errno = ENOENT, -1;
  if (!may_change(disk, NULL, "rename", file, 0)) return -1;
  set(&disk->current, name, NULL);
  set(&disk->current, new_name, file);
  note_state(disk);
  return 0;
}

static int check_access(int number, const char *name, int mode) {
  struct stat status;
  if (status_of_path(number, name, &status)) return -1;
  if (!(mode & W_OK) || !disks[number].faults.is_read_only) return 0;
  errno = EROFS;
  return -1;
}

static int condition(int number, struct statvfs *status) {
  memset(status, 0, sizeof *status);
  status->f_bsize = status->f_frsize = PAGE;
  status->f_blocks = 1 << 20;
  status->f_bfree = status->f_bavail = disks[number].faults.is_full ? 0 : 1 << 19;
  return 0;
}

// The calls in place of those of the C library

#define LOCKED(TYPE, EXPRESSION)      \
  do {                                \
    pthread_mutex_lock(&lock);        \
    TYPE outcome = EXPRESSION;        \
    pthread_mutex_unlock(&lock);      \
    return outcome;                   \
  } while (0)

#define ON_DISK(PATH, TYPE, EXPRESSION)              \
  const char *name;                                  \
  int disk = disk_of(PATH, &name);                   \
  if (disk >= 0) LOCKED(TYPE, EXPRESSION)

#define ON_DESCRIPTOR(FILE, TYPE, EXPRESSION)                  \
  if (FILE >= FIRST_DESCRIPTOR) {                              \
    struct descriptor *descriptor = descriptor_of(FILE);       \
    if (descriptor) LOCKED(TYPE, EXPRESSION);                  \
  }

#define OPEN(NAME)                                             \
  int NAME(const char *path, int flags, ...) {                 \
    mode_t mode = 0;                                           \
    if (flags & (O_CREAT | __O_TMPFILE)) {                     \
      va_list arguments;                                       \
      va_start(arguments, flags);                              \
      mode = va_arg(arguments, mode_t);                        \
      va_end(arguments);                                       \
    }                                                          \
    ON_DISK(path, int, open_file(disk, name, flags));          \
    REAL(int, #NAME, const char *, int, ...);                  \
    return real(path, flags, mode);                            \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  ON_DESCRIPTOR(file, int, close_file(descriptor));
  REAL(int, "close", int);
  return real(file);
}

#define MOVE(DESCRIPTOR, COUNT) (COUNT > 0 ? (DESCRIPTOR->position += COUNT, COUNT) : COUNT)

static ssize_t read_next(struct descriptor *descriptor, void *bytes, size_t count) {
  ssize_t part = read_file(descriptor, bytes, count, descriptor->position);
  return MOVE(descriptor, part);
}

static ssize_t write_next(struct descriptor *descriptor, const void *bytes, size_t count) {
  ssize_t part = write_file(descriptor, bytes, count, descriptor->position);
  return MOVE(descriptor, part);
}

ssize_t read(int file, void *bytes, size_t count) {
  ON_DESCRIPTOR(file, ssize_t, read_next(descriptor, bytes, count));
  REAL(ssize_t, "read", int, void *, size_t);
  return real(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  ON_DESCRIPTOR(file, ssize_t, write_next(descriptor, bytes, count));
  REAL(ssize_t, "write", int, const void *, size_t);
  return real(file, bytes, count);
}

#define TRANSFER(NAME, CALL, TYPE, OFFSET)                                  \
  ssize_t NAME(int file, TYPE *bytes, size_t count, OFFSET offset) {        \
    ON_DESCRIPTOR(file, ssize_t, CALL(descriptor, bytes, count, offset));   \
    REAL(ssize_t, #NAME, int, TYPE *, size_t, OFFSET);                      \
    return real(file, bytes, count, offset);                                \
  }
TRANSFER(pread, read_file, void, off_t)
TRANSFER(pread64, read_file, void, off64_t)
TRANSFER(pwrite, write_file, const void, off_t)
TRANSFER(pwrite64, write_file, const void, off64_t)

#define SYNC(NAME)                                              \
  int NAME(int file) {                                          \
    ON_DESCRIPTOR(file, int, sync_descriptor(descriptor));      \
    REAL(int, #NAME, int);                                      \
    return real(file);                                          \
  }
SYNC(fsync)
SYNC(fdatasync)

#define RESIZE(NAME, OFFSET)                                            \
  int NAME(int file, OFFSET size) {                                     \
    ON_DESCRIPTOR(file, int, resize_file(descriptor, size, false));     \
    REAL(int, #NAME, int, OFFSET);                                      \
    return real(file, size);                                            \
  }
RESIZE(ftruncate, off_t)
RESIZE(ftruncate64, off64_t)

#define ALLOCATE(NAME, OFFSET)                                                                          \
  int NAME(int file, OFFSET offset, OFFSET length) {                                                    \
    ON_DESCRIPTOR(file, int, resize_file(descriptor, offset + length, true) == 0 ? 0 : errno);          \
    REAL(int, #NAME, int, OFFSET, OFFSET);                                                              \
    return real(file, offset, length);                                                                  \
  }
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)

#define STATUS(NAME, TYPE)                                                              \
  int NAME(const char *path, struct TYPE *status) {                                     \
    ON_DISK(path, int, status_of_path(disk, name, (struct stat *)status));              \
    REAL(int, #NAME, const char *, struct TYPE *);                                      \
    return real(path, status);                                                          \
  }
STATUS(stat, stat)
STATUS(stat64, stat64)
STATUS(lstat, stat)
STATUS(lstat64, stat64)

static int status_of(struct descriptor *descriptor, struct stat *status) {
  struct disk *disk = served(descriptor);
  return disk ? describe(descriptor->file, &disk->current, descriptor->disk, status) : -1;
}

#define STATUS_OF_FILE(NAME, TYPE)                                              \
  int NAME(int file, struct TYPE *status) {                                     \
    ON_DESCRIPTOR(file, int, status_of(descriptor, (struct stat *)status));     \
    REAL(int, #NAME, int, struct TYPE *);                                       \
    return real(file, status);                                                  \
  }
STATUS_OF_FILE(fstat, stat)
STATUS_OF_FILE(fstat64, stat64)

#define STATUS_AT(NAME, TYPE)                                                           \
  int NAME(int folder, const char *path, struct TYPE *status, int flags) {              \
    ON_DISK(path, int, status_of_path(disk, name, (struct stat *)status));              \
    REAL(int, #NAME, int, const char *, struct TYPE *, int);                            \
    return real(folder, path, status, flags);                                           \
  }
STATUS_AT(fstatat, stat)
STATUS_AT(fstatat64, stat64)

int access(const char *path, int mode) {
  ON_DISK(path, int, check_access(disk, name, mode));
  REAL(int, "access", const char *, int);
  return real(path, mode);
}

int faccessat(int folder, const char *path, int mode, int flags) {
  ON_DISK(path, int, check_access(disk, name, mode));
  REAL(int, "faccessat", int, const char *, int, int);
  return real(folder, path, mode, flags);
}

static int make_node(int number, const char *name) {
  struct disk *disk = &disks[number];
  if (!disk->is_stopped && find(&disk->current, name)) return errno = EEXIST, -1;
  return create(disk, name) ? 0 : -1;
}

int mknod(const char *path, mode_t mode, dev_t device) {
  ON_DISK(path, int, make_node(disk, name));
  REAL(int, "mknod", const char *, mode_t, dev_t);
  return real(path, mode, device);
}

int unlink(const char *path) {
  ON_DISK(path, int, unlink_file(disk, name));
  REAL(int, "unlink", const char *);
  return real(path);
}

int rename(const char *path, const char *new_path) {
  const char *new_name = "";
  disk_of(new_path, &new_name);
  ON_DISK(path, int, rename_file(disk, name, new_name));
  REAL(int, "rename", const char *, const char *);
  return real(path, new_path);
}

/// There is one process: no lock is ever refused, except after the end of the disk.
static int control(struct descriptor *descriptor, int command, void *argument) {
  if (!served(descriptor)) return -1;
  if (command == F_GETLK) ((struct flock *)argument)->l_type = F_UNLCK;
  // Without a lock for writing, a connection that only reads does not empty the log when it is closed.
  bool locks = command == F_SETLK && ((struct flock *)argument)->l_type == F_WRLCK;
  if (locks && (descriptor->flags & O_ACCMODE) == O_RDONLY) return errno = EBADF, -1;
  return command == F_GETFL ? descriptor->flags : 0;
}

#define CONTROL(NAME)                                                       \
  int NAME(int file, int command, ...) {                                    \
    va_list arguments;                                                      \
    va_start(arguments, command);                                           \
    void *argument = va_arg(arguments, void *);                             \
    va_end(arguments);                                                      \
    ON_DESCRIPTOR(file, int, control(descriptor, command, argument));       \
    REAL(int, #NAME, int, int, ...);                                        \
    return real(file, command, argument);                                   \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

int fchmod(int file, mode_t mode) {
  ON_DESCRIPTOR(file, int, served(descriptor) ? 0 : -1);
  REAL(int, "fchmod", int, mode_t);
  return real(file, mode);
}

int fchown(int file, uid_t user, gid_t group) {
  ON_DESCRIPTOR(file, int, served(descriptor) ? 0 : -1);
  REAL(int, "fchown", int, uid_t, gid_t);
  return real(file, user, group);
}

/// SQLite maps its index of the log only, after it has made the file large enough.
static void *map_file(struct descriptor *descriptor, size_t length, off_t offset) {
  if (served(descriptor) && descriptor->file->is_shared && (size_t)offset + length <= SHARED_SIZE) {
    return descriptor->file->content.start + offset;
  }
  errno = ENODEV;
  return MAP_FAILED;
}

#define MAP(NAME, OFFSET)                                                                               \
  void *NAME(void *address, size_t length, int protection, int flags, int file, OFFSET offset) {        \
    ON_DESCRIPTOR(file, void *, map_file(descriptor, length, offset));                                  \
    REAL(void *, #NAME, void *, size_t, int, int, int, OFFSET);                                         \
    return real(address, length, protection, flags, file, offset);                                      \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

int munmap(void *address, size_t length) {
  if (pool && (uint8_t *)address >= pool && (uint8_t *)address < pool + AREAS * SHARED_SIZE) return 0;
  REAL(int, "munmap", void *, size_t);
  return real(address, length);
}

int usleep(useconds_t time) {
  if (skips_waits) return 0;
  REAL(int, "usleep", useconds_t);
  return real(time);
}

#define CONDITION(NAME, TYPE)                                                   \
  int NAME(const char *path, struct TYPE *status) {                             \
    ON_DISK(path, int, condition(disk, (struct statvfs *)status));              \
    REAL(int, #NAME, const char *, struct TYPE *);                              \
    return real(path, status);                                                  \
  }
CONDITION(statvfs, statvfs)
CONDITION(statvfs64, statvfs64)
