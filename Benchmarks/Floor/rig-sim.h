// A simulated chip (gpio-sim) for `rig-drive`: created through configfs, its inputs moved through
// sysfs. Every failure ends the program with the failed operation.

#ifndef RIG_SIM_H
#define RIG_SIM_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIM_ROOT "/sys/kernel/config/gpio-sim"
#define SIM_MAX_LINES 64

struct sim {
    char label[32];
    char device[32];             // "gpiochip0"
    int count;
    int pull[SIM_MAX_LINES];     // descriptors of the lines' `pull`
    int up[SIM_MAX_LINES];       // what was last written there
    int first_number;            // of line 0 in the kernel's own count, as traces have it
};

__attribute__((noreturn, format(printf, 1, 2))) static void sim_die(const char *format, ...)
{
    int number = errno;
    va_list values;
    va_start(values, format);
    fputs("rig-drive: ", stderr);
    vfprintf(stderr, format, values);
    va_end(values);
    fprintf(stderr, ": %s\n", strerror(number));
    exit(3);
}

__attribute__((format(printf, 2, 3)))
static void sim_write(const char *text, const char *format, ...)
{
    char path[256];
    va_list values;
    va_start(values, format);
    vsnprintf(path, sizeof path, format, values);
    va_end(values);
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0)
        sim_die("writing '%s' to %s", text, path);
    close(file);
}

// The first line of a file, without its line feed.
__attribute__((format(printf, 3, 4)))
static void sim_read(char *text, size_t size, const char *format, ...)
{
    char path[256];
    va_list values;
    va_start(values, format);
    vsnprintf(path, sizeof path, format, values);
    va_end(values);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(text, (int)size, file))
        sim_die("reading %s", path);
    fclose(file);
    text[strcspn(text, "\n")] = 0;
}

// The kernel numbers the lines of all chips together; only debugfs has the first number of a chip.
static int sim_first_number(const char *device)
{
    char line[256], chip[48];
    int first;
    FILE *file = fopen("/sys/kernel/debug/gpio", "re");
    if (!file)
        sim_die("/sys/kernel/debug/gpio");
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%47[^:]: GPIOs %d-", chip, &first) == 2 && strcmp(chip, device) == 0) {
            fclose(file);
            return first;
        }
    }
    errno = ENOENT;
    sim_die("%s in /sys/kernel/debug/gpio", device);
}

static void sim_pull(struct sim *sim, int line, int up)
{
    const char *text = up ? "pull-up" : "pull-down";
    if (pwrite(sim->pull[line], text, strlen(text), 0) < 0)
        sim_die("moving line %d", line);
    sim->up[line] = up;
}

static void sim_create(struct sim *sim, const char *label, char names[][32], int count)
{
    char base[128], text[32], parent[32];
    snprintf(sim->label, sizeof sim->label, "%s", label);
    snprintf(base, sizeof base, SIM_ROOT "/%s", label);
    sim->count = count;
    if (mkdir(base, 0755) || mkdir(strcat(base, "/bank"), 0755))
        sim_die("making %s (is this the rig, and configfs mounted?)", base);
    snprintf(text, sizeof text, "%d", count);
    sim_write(text, "%s/num_lines", base);
    sim_write(label, "%s/label", base);
    for (int line = 0; line < count; line++) {
        char path[192];
        snprintf(path, sizeof path, "%s/line%d", base, line);
        if (mkdir(path, 0755))
            sim_die("making %s", path);
        sim_write(names[line], "%s/name", path);
    }
    sim_write("1", SIM_ROOT "/%s/live", label);
    sim_read(sim->device, sizeof sim->device, "%s/chip_name", base);
    sim_read(parent, sizeof parent, SIM_ROOT "/%s/dev_name", label);
    sim->first_number = sim_first_number(sim->device);
    for (int line = 0; line < count; line++) {
        char path[192];
        snprintf(path, sizeof path, "/sys/devices/platform/%s/%s/sim_gpio%d/pull", parent,
                 sim->device, line);
        sim->pull[line] = open(path, O_WRONLY | O_CLOEXEC);
        if (sim->pull[line] < 0)
            sim_die("%s", path);
    }
}

static void sim_remove(struct sim *sim)
{
    sim_write("0", SIM_ROOT "/%s/live", sim->label);
    char path[192];
    for (int line = 0; line < sim->count; line++) {
        close(sim->pull[line]);
        snprintf(path, sizeof path, SIM_ROOT "/%s/bank/line%d", sim->label, line);
        rmdir(path);
    }
    snprintf(path, sizeof path, SIM_ROOT "/%s/bank", sim->label);
    rmdir(path);
    snprintf(path, sizeof path, SIM_ROOT "/%s", sim->label);
    rmdir(path);
}

#endif
