#define _GNU_SOURCE
#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

// A program's own malloc takes precedence over the C library's for all that is linked to it, the Swift runtime in either
// form among it (glibc manual, "Replacing malloc"). These hand on to glibc's by the names under which it exports them.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Thread_local Allocations made;

static void note(size_t bytes) {
  made.count += 1;
  made.bytes += bytes;
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  note(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
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
  Allocations before = made;
  body(context);
  return (Allocations){made.count - before.count, made.bytes - before.bytes};
}
