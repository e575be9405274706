#include "CFuzzGuide.h"

// Of libFuzzer, which only a guided build links.
extern int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*read)(const uint8_t *bytes, size_t count)
) __attribute__((weak));

int detent_fuzz_guide(
    int count, char **arguments, int (*read)(const uint8_t *bytes, size_t count)
) {
    if (!LLVMFuzzerRunDriver) return -1;
    return LLVMFuzzerRunDriver(&count, &arguments, read);
}
