// Counts allocations. Only for grampad-bench: linking it replaces malloc in the entire process.
#pragma once

#include <stdint.h>

/// The allocations of one thread.
typedef struct {
  /// Number of calls of malloc and related functions, including each realloc that has to grow.
  uint64_t count;
  /// Number of requested bytes.
  uint64_t bytes;
} Allocations;

/// Runs a function and returns what the calling thread allocated during it. callgrind collects by the name of this function
/// (`--toggle-collect`).
Allocations grampad_counted(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);
