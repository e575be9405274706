#pragma once
#include <stddef.h>

// docs/rules.txt.
const unsigned char *detent_rules(size_t *size);
