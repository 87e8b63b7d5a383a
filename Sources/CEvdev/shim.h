// libevdev, and its messages as plain text.
#ifndef GRAMPAD_CEVDEV_H
#define GRAMPAD_CEVDEV_H

#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>
#include <stdarg.h>
#include <stdio.h>

// Receives a message, cut to 255 bytes.
typedef void (*grampad_message_receiver)(void *context, enum libevdev_log_priority priority, const char *message);

// Where a device's messages go. It has to stay in place as long as the device exists.
struct grampad_message_target {
  grampad_message_receiver receive;
  void *context;
};

static void grampad_format_message(
    const struct libevdev *device, enum libevdev_log_priority priority, void *data, const char *file, int line,
    const char *function, const char *format, va_list arguments) {
  (void)device, (void)file, (void)line, (void)function;
  char message[256];
  if (vsnprintf(message, sizeof message, format, arguments) < 0) return;
  const struct grampad_message_target *target = data;
  target->receive(target->context, priority, message);
}

// Sends a device's messages to a target. libevdev passes a va_list, whose type differs between architectures (and
// Swift 6.2's compiler crashes on it for 64-bit Arm), so the message is formatted here.
static inline void grampad_send_messages(
    struct libevdev *device, enum libevdev_log_priority priority, struct grampad_message_target *target) {
  libevdev_set_device_log_function(device, grampad_format_message, priority, target);
}

#endif
