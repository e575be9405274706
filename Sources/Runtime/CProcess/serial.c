#include "serial.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(struct termios2) <= sizeof(struct detent_serial_saved), "room for the terms");

static int refuse(int device, int error) {
    close(device);
    return -error;
}

static void make_terms(struct termios2 *to, const struct detent_serial_terms *terms) {
    to->c_iflag = IGNBRK | (terms->parity ? INPCK : 0);
    to->c_oflag = 0;
    to->c_lflag = 0;
    to->c_cflag = CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
    to->c_cflag |= terms->data_bits == 7 ? CS7 : CS8;
    if (terms->stop_bits == 2) to->c_cflag |= CSTOPB;
    if (terms->parity) to->c_cflag |= PARENB;
    if (terms->parity == 1) to->c_cflag |= PARODD;
    to->c_ispeed = (speed_t)terms->baud;
    to->c_ospeed = (speed_t)terms->baud;
    to->c_cc[VMIN] = 1;
    to->c_cc[VTIME] = 0;
}

int detent_serial_open(
    const char *path, const struct detent_serial_terms *terms, struct detent_serial_saved *saved
) {
    struct termios2 before, now;
    /* Without O_NONBLOCK it would wait for a modem. */
    int device = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (device < 0) return -errno;
    if (ioctl(device, TCGETS2, &before) != 0) return refuse(device, errno);
    if (ioctl(device, TIOCEXCL) != 0) return refuse(device, errno);
    now = before;
    make_terms(&now, terms);
    if (ioctl(device, TCSETS2, &now) != 0) return refuse(device, errno);
    memcpy(saved->bytes, &before, sizeof before);
    /* A driver that cannot keep a rate takes another one without an error. */
    if (ioctl(device, TCGETS2, &now) != 0 || now.c_ospeed < (speed_t)terms->baud / 100 * 97
        || now.c_ospeed > (speed_t)terms->baud / 100 * 103 + 1) {
        detent_serial_close(device, saved);
        return -EINVAL;
    }
    ioctl(device, TCFLSH, TCIFLUSH);
    fcntl(device, F_SETFL, 0);
    return device;
}

void detent_serial_close(int device, const struct detent_serial_saved *saved) {
    struct termios2 before;
    memcpy(&before, saved->bytes, sizeof before);
    /* What is not sent yet is to go at its own rate; at most half a second. */
    struct timespec moment = {.tv_nsec = 10000000};
    int left = 0;
    for (int tries = 50; tries > 0; tries--) {
        if (ioctl(device, TIOCOUTQ, &left) != 0 || left == 0) break;
        nanosleep(&moment, NULL);
    }
    ioctl(device, TCSETS2, &before);
    ioctl(device, TIOCNXCL);
    close(device);
}
