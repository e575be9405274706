#pragma once
#include "CGPIOD.h"

// Fills in what only libgpiod knows of a chip: name, label and lines, or why it cannot be opened.
void detent_gpio_describe(struct detent_gpio_chip_info *info);
