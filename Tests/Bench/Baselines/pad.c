// An emulated force pad, preloaded into a program that opens a FIFO instead of /dev/input/eventN.
//
// The events are written to the FIFO. This library answers the evdev ioctls of any FIFO as the kernel does for a protocol B
// pad with 4,096 pressure steps. Reading takes one read(2) for a whole number of frames, as with a real pad.
// See linux/input.h, Documentation/input/multi-touch-protocol.rst.
#include <errno.h>
#include <linux/input.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const unsigned short types[] = {EV_SYN, EV_KEY, EV_ABS};
static const unsigned short keys[] = {BTN_LEFT, BTN_TOOL_FINGER, BTN_TOUCH};
static const unsigned short properties[] = {INPUT_PROP_POINTER, INPUT_PROP_BUTTONPAD};
static const struct {
  unsigned short code;
  int maximum, resolution;
} axes[] = {
    {ABS_X, 1224, 12},
    {ABS_Y, 756, 12},
    {ABS_PRESSURE, 4095, 0},
    {ABS_MT_SLOT, 4, 0},
    {ABS_MT_POSITION_X, 1224, 12},
    {ABS_MT_POSITION_Y, 756, 12},
    {ABS_MT_TRACKING_ID, 65535, 0},
    {ABS_MT_PRESSURE, 4095, 0},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void set(unsigned char *bits, size_t size, unsigned code) {
  if (code / 8 < size) bits[code / 8] |= (unsigned char)(1 << code % 8);
}

static int text(char *out, size_t size, const char *words) {
  strncpy(out, words, size);
  return (int)strlen(words) + 1;
}

// Fills `out` and returns the result of the ioctl.
static int answer(unsigned number, size_t size, unsigned char *out) {
  if (number >= _IOC_NR(EVIOCGABS(0)) && number < _IOC_NR(EVIOCGABS(ABS_CNT))) {
    struct input_absinfo *info = (struct input_absinfo *)out;
    for (size_t i = 0; i < COUNT(axes); i++)
      if (axes[i].code == number - _IOC_NR(EVIOCGABS(0))) {
        *info = (struct input_absinfo){.maximum = axes[i].maximum, .resolution = axes[i].resolution};
        return 0;
      }
    return errno = EINVAL, -1;
  }
  if (number != _IOC_NR(EVIOCGMTSLOTS(0))) memset(out, 0, size);
  switch (number) {
  case _IOC_NR(EVIOCGVERSION): *(int *)out = EV_VERSION; return 0;
  case _IOC_NR(EVIOCGID): *(struct input_id *)out = (struct input_id){BUS_I2C, 0x06cb, 0xcdef, 0x100}; return 0;
  case _IOC_NR(EVIOCGNAME(0)): return text((char *)out, size, "Bench Force Pad");
  case _IOC_NR(EVIOCGPHYS(0)): return text((char *)out, size, "bench/pad0");
  case _IOC_NR(EVIOCGUNIQ(0)): return text((char *)out, size, "");
  case _IOC_NR(EVIOCGPROP(0)):
    for (size_t i = 0; i < COUNT(properties); i++) set(out, size, properties[i]);
    return (int)size;
  case _IOC_NR(EVIOCGMTSLOTS(0)):
    // The first element is the requested code, the others become the values of the slots: no contact.
    for (size_t i = 1; i < size / sizeof(int); i++) ((int *)out)[i] = *(int *)out == ABS_MT_TRACKING_ID ? -1 : 0;
    return 0;
  case _IOC_NR(EVIOCGBIT(0, 0)):
    for (size_t i = 0; i < COUNT(types); i++) set(out, size, types[i]);
    return (int)size;
  case _IOC_NR(EVIOCGBIT(EV_KEY, 0)):
    for (size_t i = 0; i < COUNT(keys); i++) set(out, size, keys[i]);
    return (int)size;
  case _IOC_NR(EVIOCGBIT(EV_ABS, 0)):
    for (size_t i = 0; i < COUNT(axes); i++) set(out, size, axes[i].code);
    return (int)size;
  default: return (int)size; // no such event type, no key down
  }
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  struct stat status;
  if (_IOC_TYPE(request) != 'E' || fstat(file, &status) || !S_ISFIFO(status.st_mode))
    return (int)syscall(SYS_ioctl, file, request, argument);
  if (!(_IOC_DIR(request) & _IOC_READ)) return 0; // the grab and the clock always succeed
  return answer(_IOC_NR(request), _IOC_SIZE(request), argument);
}
