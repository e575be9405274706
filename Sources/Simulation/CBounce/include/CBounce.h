#pragma once
#include <stddef.h>

// The files of simulator/bounce/, one after another, each followed by a NUL byte.
const unsigned char *detent_bounce_profiles(size_t *size);
