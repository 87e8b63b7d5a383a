#define _GNU_SOURCE
#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

// A malloc in the program replaces that of the C library for all linked code, including the Swift runtime, static or
// dynamic (glibc manual, "Replacing malloc"). These functions forward to glibc's exported names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Thread_local Allocations allocations;

static void count_allocation(size_t bytes) {
  allocations.count += 1;
  allocations.bytes += bytes;
}

void *malloc(size_t size) {
  count_allocation(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  count_allocation(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *new = memalign(alignment, size);
  if (new == NULL) return ENOMEM;
  *block = new;
  return 0;
}

void free(void *block) { __libc_free(block); }

__attribute__((noinline)) Allocations grampad_counted(void (*body)(void *), void *context) {
  Allocations before = allocations;
  body(context);
  return (Allocations){allocations.count - before.count, allocations.bytes - before.bytes};
}
