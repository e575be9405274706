#include "CBoards.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// One line for each board, sorted by name; a test compares the list with the folder.
static const unsigned char boards[] = {
#embed "../../../boards/banana-pi-m2-zero.yaml" suffix(, 0,)
#embed "../../../boards/banana-pi-m5.yaml" suffix(, 0,)
#embed "../../../boards/beaglebone-black.yaml" suffix(, 0,)
#embed "../../../boards/friendlyelec-nanopc-t6.yaml" suffix(, 0,)
#embed "../../../boards/indiedroid-nova.yaml" suffix(, 0,)
#embed "../../../boards/jetson-orin-nano.yaml" suffix(, 0,)
#embed "../../../boards/libre-aml-s805x-ac.yaml" suffix(, 0,)
#embed "../../../boards/libre-aml-s905x-cc.yaml" suffix(, 0,)
#embed "../../../boards/libre-roc-rk3328-cc.yaml" suffix(, 0,)
#embed "../../../boards/odroid-c4.yaml" suffix(, 0,)
#embed "../../../boards/odroid-n2.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-3b.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-5-plus.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-5.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-5b.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-pc.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-zero-2w.yaml" suffix(, 0,)
#embed "../../../boards/orange-pi-zero2.yaml" suffix(, 0,)
#embed "../../../boards/pine64-rock64.yaml" suffix(, 0,)
#embed "../../../boards/pocketbeagle.yaml" suffix(, 0,)
#embed "../../../boards/radxa-rock-4.yaml" suffix(, 0,)
#embed "../../../boards/radxa-rock-5b.yaml" suffix(, 0,)
#embed "../../../boards/radxa-rock-5c.yaml" suffix(, 0,)
#embed "../../../boards/radxa-rock-pi-e.yaml" suffix(, 0,)
#embed "../../../boards/radxa-zero-3.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-2b.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-3b-plus.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-3b.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-400.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-4b.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-5.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-500.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-b-plus.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-zero-2-w.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-zero-w.yaml" suffix(, 0,)
#embed "../../../boards/raspberry-pi-zero.yaml" suffix(, 0,)
#embed "../../../boards/starfive-visionfive-2.yaml" suffix(, 0,)
};

const unsigned char *detent_boards(size_t *size) {
    *size = sizeof boards;
    return boards;
}
