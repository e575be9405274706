/* Serial devices: the terms of a line at any rate, which need headers of the kernel. */
#ifndef CSERIAL_H
#define CSERIAL_H

/* What a line is set to. */
struct detent_serial_terms {
    int baud;
    int data_bits; /* 7 or 8 */
    int stop_bits; /* 1 or 2 */
    int parity;    /* 0 none, 1 odd, 2 even */
};

/* The terms that a line had before; for detent_serial_close only. */
struct detent_serial_saved {
    unsigned char bytes[64];
};

/*
 * Opens a serial device for this process alone, without echo and translation, and drops what was
 * received before. Reading and writing block. Returns the descriptor, closed on exec, or a negative
 * error number: -ENOTTY where it is no serial device, -EINVAL where it does not take the terms.
 */
int detent_serial_open(
    const char *path, const struct detent_serial_terms *terms, struct detent_serial_saved *saved);

/* Gives the line the terms that it had before, and closes it. */
void detent_serial_close(int device, const struct detent_serial_saved *saved);

#endif
