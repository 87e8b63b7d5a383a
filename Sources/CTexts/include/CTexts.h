// The texts in each language and the list of known pads, compiled in by the C compiler: a resource that Swift compiles is an array of numbers, which takes it half a minute to check.
#ifndef GRAMPAD_CTEXTS_H
#define GRAMPAD_CTEXTS_H

#include <stddef.h>

struct grampad_texts_file {
  const unsigned char *bytes;
  size_t count;
};

// The file of this name; without bytes if there is none.
struct grampad_texts_file grampad_texts_file(const char *name);

#endif
