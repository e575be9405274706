#pragma once
#include <stddef.h>

// A file of simulator/web/: its name and its bytes.
struct detent_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

// The files of the page, sorted by name.
const struct detent_page_file *detent_page_files(size_t *count);
