#include "CCommit.h"

// Package.swift defines it from the environment of the build.
#ifndef DETENT_COMMIT
#define DETENT_COMMIT ""
#endif

const char *detent_commit(void) {
    return DETENT_COMMIT;
}
