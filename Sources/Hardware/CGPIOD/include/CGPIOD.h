#pragma once

// A common interface to libgpiod 1.6 and 2.x.
//
// The version depends on the gpiod.h that the compiler finds: only 1.x defines
// GPIOD_LINE_BULK_MAX_LINES. Functions that can fail return a negative error number. The read, get
// and set functions do not allocate.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h> // for Swift, whose Glibc module lacks it

// Lines of one request: 64 in version 2 of the kernel's interface.
#define DETENT_GPIO_LINES_MAX 64
// The most edges that one call of detent_gpio_read_edges returns.
#define DETENT_GPIO_BATCH_MAX 64

struct detent_gpio_chip;
struct detent_gpio_group;

// Information about a chip. `error` is 0, or the error number of opening it; `label` is then empty
// and `lines` is 0, while the other fields are valid.
struct detent_gpio_chip_info {
    char path[256];      // such as /dev/gpiochip0; the node, rather than a link to it
    char name[64];       // the kernel's name, such as gpiochip0
    char label[64];      // the driver's label, such as pinctrl-rp1
    char parent[128];    // the parent device, such as 44e07000.gpio; empty if unknown
    char model[64];      // the parent's own name on its bus, such as mcp23017; empty if it has none
    char subsystem[32];  // the bus of the parent, such as platform or i2c; empty if unknown
    uint64_t device;     // st_rdev of the node
    uint32_t lines;
    uint32_t mode;       // permission bits of the node
    uint32_t owner;      // user that owns the node
    uint32_t group;      // group that owns the node
    int error;
    bool sleeps;         // the parent is on i2c, spi, usb or hid: every access waits for a bus
};

// Information about a line.
struct detent_gpio_line_info {
    char name[64];
    char consumer[64];
    uint32_t offset;
    bool used;
    bool output;
    bool active_low;
};

enum detent_gpio_bias {
    DETENT_GPIO_BIAS_AS_IS,
    DETENT_GPIO_BIAS_DISABLED,
    DETENT_GPIO_BIAS_PULL_UP,
    DETENT_GPIO_BIAS_PULL_DOWN,
};

// How one line is requested.
struct detent_gpio_line_request {
    uint32_t offset;
    uint32_t debounce_microseconds; // by the kernel; 0 for none
    enum detent_gpio_bias bias;
    bool output;
    bool edges; // both edges, for inputs
    bool active_low;
    bool initial; // logical level of an output
};

// An edge, in logical levels.
struct detent_gpio_edge {
    uint64_t nanoseconds; // monotonic clock
    uint32_t offset;
    uint32_t sequence; // of this line, from 1; 0 if the interface does not count
    bool rising;
};

// The version of the kernel's interface that the library uses: 1 or 2.
int detent_gpio_interface(void);

// The version string of the library.
const char *detent_gpio_library_version(void);

// The most lines of one request: 1 for libgpiod 1.6, DETENT_GPIO_LINES_MAX for 2.x.
size_t detent_gpio_lines_per_group(void);

// The most edges of one read of a descriptor. If there are fewer, none is left.
size_t detent_gpio_batch_length(void);

// Finds the character devices `devices`/gpiochip*, each once even if there are links to it, sorted
// by the numbers in their names. `buses` is /sys/bus/gpio/devices. Returns the number of devices,
// of which at most `capacity` are written.
int detent_gpio_scan(
    const char *devices, const char *buses, struct detent_gpio_chip_info *infos, size_t capacity);

// Opens a chip; returns 0 or a negative error number.
int detent_gpio_chip_open(const char *path, struct detent_gpio_chip **chip);

// Closes a chip. Its groups must have been released.
void detent_gpio_chip_close(struct detent_gpio_chip *chip);

// Reads the information about one line from the kernel.
int detent_gpio_line_info(
    struct detent_gpio_chip *chip, uint32_t offset, struct detent_gpio_line_info *info);

// Requests lines of one chip: all or none.
int detent_gpio_request(
    struct detent_gpio_chip *chip, const char *consumer,
    const struct detent_gpio_line_request *lines, size_t count, struct detent_gpio_group **group);

// The descriptor that is readable when an edge waits, non-blocking; -1 without edges.
int detent_gpio_group_descriptor(const struct detent_gpio_group *group);

// Reads up to DETENT_GPIO_BATCH_MAX edges. Returns their number, 0 if none waits. `full` is set if
// the kernel's queue may have overflowed without a gap (libgpiod 1.6: a batch of 16).
int detent_gpio_read_edges(
    struct detent_gpio_group *group, struct detent_gpio_edge *edges, size_t capacity, bool *full);

// Reads the logical level of one line, by its index in the group: 0 or 1.
int detent_gpio_get(struct detent_gpio_group *group, size_t index);

// Reads the levels of the lines whose bits are set in `mask`, in one system call.
int detent_gpio_get_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t *levels);

// Drives one output, by its index in the group, without changing the others.
int detent_gpio_set(struct detent_gpio_group *group, size_t index, bool level);

// Drives the outputs whose bits are set in `mask`, in one system call.
int detent_gpio_set_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t levels);

// Releases the lines.
void detent_gpio_release(struct detent_gpio_group *group);
