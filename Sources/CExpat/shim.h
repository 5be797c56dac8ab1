#pragma once

// The header shows the limits on what entities may grow to only to those who say that the library has entities.
#define XML_DTD 1
#include <expat.h>
