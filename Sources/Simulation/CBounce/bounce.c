#include "CBounce.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// One line for each profile, sorted by name; a test compares the list with the folder.
static const unsigned char profiles[] = {
#embed "../../../simulator/bounce/cherry-mx.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/mechanical-encoder.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/none.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/reed.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/rotary-wafer-bbm.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/rotary-wafer-mbb.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/tactile.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/toggle-lever.yaml" suffix(, 0,)
#embed "../../../simulator/bounce/worn.yaml" suffix(, 0,)
};

const unsigned char *detent_bounce_profiles(size_t *size) {
    *size = sizeof profiles;
    return profiles;
}
