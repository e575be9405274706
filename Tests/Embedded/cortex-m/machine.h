#ifndef DETENT_MACHINE_H
#define DETENT_MACHINE_H

#include <stdint.h>

/* What this machine gives to the firmware. */

/* Nanoseconds since the start, by SysTick. */
uint64_t machine_clock(void);
/* Sleeps until an interrupt: at the latest the next one of SysTick. */
void machine_sleep(void);
/* Sends a byte of the log over the serial line. */
void machine_put(uint8_t byte);
/* Says a number behind a name, to people. */
void machine_tell(const char *_Nonnull name, uint32_t number);
/* The most bytes of stack that were in use since the start. */
uint32_t machine_stack(void);

/* The buffer of the engine. */
extern const uint32_t machine_arena_size;
void *_Nonnull machine_arena_start(void);

/* The panel and the script that were linked into flash. */
const void *_Nonnull machine_panel_start(void);
const void *_Nonnull machine_panel_end(void);
const void *_Nonnull machine_script_start(void);
const void *_Nonnull machine_script_end(void);

#endif
