#include "CBaselines.h"

#include <stddef.h>
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char baseline_c[] = {
#embed "../Bench/Baselines/baseline.c" suffix(, 0)
};
static const char baseline_py[] = {
#embed "../Bench/Baselines/baseline.py" suffix(, 0)
};
static const char collector_py[] = {
#embed "../Bench/Baselines/collector.py" suffix(, 0)
};
static const char pad_c[] = {
#embed "../Bench/Baselines/pad.c" suffix(, 0)
};
static const char process_h[] = {
#embed "../Bench/Baselines/process.h" suffix(, 0)
};
static const char stand_c[] = {
#embed "../Bench/Baselines/stand.c" suffix(, 0)
};

static const struct {
  const char *name;
  const char *text;
} files[] = {
    {"baseline.c", baseline_c},
    {"baseline.py", baseline_py},
    {"collector.py", collector_py},
    {"pad.c", pad_c},
    {"process.h", process_h},
    {"stand.c", stand_c},
};

const char *grampad_baseline(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return files[index].text;
  }
  return NULL;
}
