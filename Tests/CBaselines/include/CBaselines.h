// The C and Python programs that grampad-bench is compared with, compiled in by the C compiler, as in CTexts.
#ifndef GRAMPAD_CBASELINES_H
#define GRAMPAD_CBASELINES_H

// The text of the file of this name; null if there is none.
const char *grampad_baseline(const char *name);

#endif
