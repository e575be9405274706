#pragma once
#include <stddef.h>
#include <stdint.h>

// Chooses inputs by the code that they reach, and gives them to `read` until the time of the
// arguments is over. These are the arguments of libFuzzer, and `arguments[0]` is the program.
//
// Ends the process if an input is found that ends a reader. Returns libFuzzer's exit code, or -1 if
// this program was built without libFuzzer: Tests/Fuzz/guided builds it.
int detent_fuzz_guide(
    int count, char **arguments, int (*read)(const uint8_t *bytes, size_t count)
);
