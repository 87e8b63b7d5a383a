#ifndef CDISKFAULTS_H
#define CDISKFAULTS_H

#include <stdint.h>

/// How often the system calls go wrong on the files whose paths begin with a prefix.
struct disk_faults {
  /// The same seed gives the same faults for the same calls.
  uint64_t seed;
  /// Calls in a million with which a disturbance begins: from then on most calls fail, for up to some hundred of them.
  uint32_t disturbances;
  /// Calls in a million that kill the process, before or after their work.
  uint32_t kills;
};

/// From now on, opening, reading, writing, truncating and flushing files whose paths begin with `prefix` fails at random: with EIO or ENOSPC,
/// and after having written all, a part or nothing. A program with this function uses these calls in place of those of the C library.
void disk_faults_begin(const char *prefix, struct disk_faults faults);

/// The number of calls that have failed.
uint64_t disk_faults_count(void);

#endif
