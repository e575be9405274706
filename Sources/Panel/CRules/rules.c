#include "CRules.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char rules[] = {
#embed "../../../docs/rules.txt"
};

const unsigned char *detent_rules(size_t *size) {
    *size = sizeof rules;
    return rules;
}
