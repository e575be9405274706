#pragma once
#include <stddef.h>

// The files of boards/, one after another, each followed by a NUL byte, which no YAML file holds.
const unsigned char *detent_boards(size_t *size);
