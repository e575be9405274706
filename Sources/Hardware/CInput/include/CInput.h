/* Input devices of Linux (evdev): names of codes, and the system calls with their structures. */
#ifndef DETENT_INPUT_H
#define DETENT_INPUT_H

/* The bytes of a bit for each key: KEY_MAX is 0x2ff. */
enum { DETENT_INPUT_KEY_BYTES = 96 };
/* Events that one call reads at most. */
enum { DETENT_INPUT_BATCH = 64 };

/* The code of a name such as KEY_F1 or BTN_BASE4, of an axis such as REL_DIAL; -1 if unknown. */
int detent_input_code(int isAxis, const char *name);
/* The usual name of a code; NULL if it has none. */
const char *detent_input_name(int isAxis, int code);
/* The names in the order of the table; NULL behind the last. */
const char *detent_input_name_at(int isAxis, int place);

/* Whether a key belongs to a joystick or gamepad, which desktops do not take for a keyboard. */
int detent_input_is_joystick(int code);

enum detent_input_kind {
    DETENT_INPUT_OTHER,
    DETENT_INPUT_KEY,
    DETENT_INPUT_AXIS,
    /* The end of a report. */
    DETENT_INPUT_REPORT,
    /* The kernel's queue was full: events up to the next report are of no use. */
    DETENT_INPUT_DROPPED,
};

struct detent_input_event {
    unsigned long long nanoseconds;
    enum detent_input_kind kind;
    unsigned short code;
    int value;
};

/* Opens a device, with stamps of the monotonic clock; nothing of it waits in a read.
   Returns the descriptor, or a negative error number: EBUSY if another program has grabbed it. */
int detent_input_open(const char *path, int isExclusive);
void detent_input_close(int file);
/* A bit for each pressed key; the kernel drops the waiting events of keys.
   0, or a negative error number. */
int detent_input_keys(int file, unsigned char keys[DETENT_INPUT_KEY_BYTES]);
/* Reads what waits: the number of events, 0 if there are none, or a negative error number. */
int detent_input_read(int file, struct detent_input_event *events, int capacity);

/* Makes a device with these keys through an open descriptor of /dev/uinput; it exists until the
   last copy of the descriptor is closed. 0, or a negative error number. */
int detent_input_make(int file, const char *name, const unsigned short *keys, int count);
/* The bytes of pressing or releasing a key, as a report of its own. */
enum { DETENT_INPUT_PRESS_BYTES = 48 };
int detent_input_press(
    unsigned char bytes[DETENT_INPUT_PRESS_BYTES], unsigned short key, int isDown);

#endif
