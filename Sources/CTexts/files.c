#include "CTexts.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char de_txt[] = {
#embed "../Languages/Strings/de.txt"
};
static const unsigned char en_txt[] = {
#embed "../Languages/Strings/en.txt"
};
static const unsigned char ja_txt[] = {
#embed "../Languages/Strings/ja.txt"
};
static const unsigned char zh_Hans_txt[] = {
#embed "../Languages/Strings/zh-Hans.txt"
};

static const unsigned char pads_yaml[] = {
#embed "../../config/pads.yaml"
};

static const struct {
  const char *name;
  struct grampad_texts_file file;
} files[] = {
    {"de.txt", {de_txt, sizeof de_txt}},
    {"en.txt", {en_txt, sizeof en_txt}},
    {"ja.txt", {ja_txt, sizeof ja_txt}},
    {"pads.yaml", {pads_yaml, sizeof pads_yaml}},
    {"zh-Hans.txt", {zh_Hans_txt, sizeof zh_Hans_txt}},
};

struct grampad_texts_file grampad_texts_file(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return files[index].file;
  }
  return (struct grampad_texts_file){NULL, 0};
}
