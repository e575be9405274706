#pragma once
#include <stddef.h>

// The files of boards/, one after another, each followed by a NUL byte, which YAML does not allow.
const unsigned char *detent_boards(size_t *size);
