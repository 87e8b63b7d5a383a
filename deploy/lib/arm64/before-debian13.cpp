// C and C++ library functions that the Swift libraries of Debian unstable use and Debian 12 does not provide, with the
// behaviour of the older libraries. They are linked into the program with hidden visibility. A missing function causes a
// linker error.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ios>

#pragma GCC visibility push(hidden)

// libstdc++ 13 initialises the standard streams itself and exports this symbol. Earlier versions used an object like the one
// below in every file that included <iostream>.
namespace std {
void ios_base_library_init() {}
}  // namespace std
static std::ios_base::Init streams;

extern "C" {

// glibc 2.38: the C23 variants, which also accept "0b1" in bases 0 and 2. The C17 functions do not.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// glibc 2.38; see strlcpy(3).
size_t strlcpy(char *target, const char *source, size_t room) {
  size_t length = strlen(source);
  if (room > 0) {
    size_t taken = length < room ? length : room - 1;
    memcpy(target, source, taken);
    target[taken] = 0;
  }
  return length;
}

size_t strlcat(char *target, const char *source, size_t room) {
  size_t length = strnlen(target, room);
  return length + strlcpy(target + length, source, room - length);
}

}  // extern "C"
