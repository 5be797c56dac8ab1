#pragma once

#include <pulse/pulseaudio.h>

// Macros with casts, which the importer leaves out.
static const pa_volume_t pulse_volume_norm = PA_VOLUME_NORM;
static const uint32_t pulse_no_index = PA_INVALID_INDEX;
static const uint32_t pulse_default_size = (uint32_t)-1;
