// The files of the web page, compiled in by the C compiler: a resource that Swift compiles is an array of numbers, which takes it half a minute to check.
#ifndef GRAMPAD_CPAGE_H
#define GRAMPAD_CPAGE_H

#include <stddef.h>

struct grampad_page_file {
  const unsigned char *bytes;
  size_t count;
};

// The file of this name; without bytes if there is none.
struct grampad_page_file grampad_page_file(const char *name);

#endif
