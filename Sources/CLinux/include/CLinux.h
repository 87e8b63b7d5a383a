// The few Linux calls and constants that Swift's Glibc module lacks.
#ifndef GRAMPAD_CLINUX_H
#define GRAMPAD_CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <asm/ioctls.h>
#include <linux/input.h>
#include <linux/uinput.h>

// A macro with a type in it is not imported.
static const unsigned long grampad_EVIOCSFF = EVIOCSFF;
static const unsigned long grampad_EVIOCSCLOCKID = EVIOCSCLOCKID;
static const unsigned long grampad_TIOCGPTN = TIOCGPTN;
static const unsigned long grampad_TIOCSPTLCK = TIOCSPTLCK;
static const unsigned long grampad_UI_SET_EVBIT = UI_SET_EVBIT;
static const unsigned long grampad_UI_SET_KEYBIT = UI_SET_KEYBIT;
static const unsigned long grampad_UI_DEV_SETUP = UI_DEV_SETUP;
static const unsigned long grampad_UI_DEV_CREATE = UI_DEV_CREATE;

#endif
