// The files of the web page, compiled in by the C compiler: a resource that Swift compiles is an array of numbers, which takes it half a minute to check.
#ifndef GRAMPAD_CPAGE_H
#define GRAMPAD_CPAGE_H

#include <stddef.h>

struct grampad_page_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

// All files; the number of them is stored in `count`.
const struct grampad_page_file *grampad_page_files(size_t *count);

#endif
