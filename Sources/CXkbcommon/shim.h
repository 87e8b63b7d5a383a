// libxkbcommon: keyboard layouts.
#ifndef GRAMPAD_CXKBCOMMON_H
#define GRAMPAD_CXKBCOMMON_H

#include <xkbcommon/xkbcommon.h>

#endif
