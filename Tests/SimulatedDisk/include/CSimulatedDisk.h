#ifndef C_SIMULATED_DISK_H
#define C_SIMULATED_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Disks in memory, for the program that this is linked into: whatever it does through the C library to files below "/simulated-disk/N/"
// happens on disk N, SQLite included. A disk keeps what was synced apart from what was only written, and fails as it is told.
//
// One folder per disk, without subfolders. The same seed and the same calls give the same faults. A disk is for one thread at a time.

#define SIMULATED_DISK_ROOT "/simulated-disk/"
enum { SIMULATED_DISKS = 64 };

/// The faults of a running disk. A rate of N means one call in N on average, and 0 never.
struct simulated_disk_faults {
  /// Calls with which a disturbance begins: for up to some hundred calls, most of those that open, read, write, truncate or sync a file
  /// fail with EIO or ENOSPC, after nothing, a part or everything was done.
  uint32_t disturbances;
  /// Syncs that fail with EIO: what they should have written is in part lost, and no later sync writes it.
  uint32_t failed_syncs;
  /// Whether syncs succeed without writing anything, as on a disk with a cache that lies.
  bool lies;
  /// Whether no file can grow: ENOSPC.
  bool is_full;
  /// Whether nothing can be changed: EROFS.
  bool is_read_only;
};

/// How a disk comes back.
enum simulated_disk_end {
  /// Only the program ended: everything that was written is there.
  SIMULATED_DISK_KILLED,
  /// The power failed: what was not synced is lost, kept, torn at sectors, or reordered.
  SIMULATED_DISK_POWER_CUT,
};

/// Empties a disk.
///
/// @param sector The number of bytes that are written whole or not at all: 512 or 4096.
void simulated_disk_reset(int disk, uint64_t seed, uint32_t sector);

/// Makes a disk, with the state of another one after a proper end.
void simulated_disk_copy(int disk, int original, uint64_t seed, uint32_t sector);

void simulated_disk_set_faults(int disk, struct simulated_disk_faults faults);

/// Stops the disk in the middle of the given change from now on, 1 for the next: every call fails then, without an effect. 0 for never.
void simulated_disk_stop_after(int disk, uint32_t changes);

/// Stops the disk now.
void simulated_disk_stop(int disk);

/// Whether the disk has stopped.
bool simulated_disk_is_stopped(int disk);

/// Starts the disk again. Descriptors that were opened before remain without effect.
void simulated_disk_restart(int disk, enum simulated_disk_end end);

/// Inverts bits of files whose names end with a suffix, at random places: written and synced.
///
/// @return The number of bits; fewer if there is no such file.
uint32_t simulated_disk_flip(int disk, const char *suffix, uint32_t bits);

/// The number of changes since the beginning.
uint64_t simulated_disk_changes(int disk);

/// Whether each change is printed to standard error.
void simulated_disk_trace(int disk, bool is_traced);

/// Whether this thread waits without spending time: `usleep(3)`.
void simulated_disk_skip_waits(bool is_skipped);

/// The name of a file by its place; NULL beyond the last.
const char *simulated_disk_name(int disk, size_t place);

#endif
