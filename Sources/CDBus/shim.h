#pragma once

#include <dbus/dbus.h>

/// `DBUS_ERROR_INIT` and friends are macros that Swift does not see.
static inline DBusError dbus_shim_error(void) {
    DBusError error;
    dbus_error_init(&error);
    return error;
}
