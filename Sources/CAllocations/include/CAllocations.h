// Counts what a piece of code allocates. For grampad-bench alone: linking it replaces malloc in the whole process.
#pragma once

#include <stdint.h>

/// What one thread has allocated.
typedef struct {
  /// Calls of malloc and its like, a realloc that has to grow among them.
  uint64_t count;
  /// The bytes that they asked for.
  uint64_t bytes;
} Allocations;

/// Runs a function; returns what the calling thread allocated meanwhile. Its name is what callgrind is told to collect
/// (`--toggle-collect`).
Allocations grampad_counted(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);
