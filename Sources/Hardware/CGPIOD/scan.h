#pragma once
#include "CGPIOD.h"

// Reads the information from libgpiod: name, label and lines, or why the chip cannot be opened.
void detent_gpio_describe(struct detent_gpio_chip_info *info);
