#define _GNU_SOURCE
#include "scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_text(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from ? from : "");
}

// The last component of the target of a symbolic link; empty if there is no link.
static void link_name(const char *path, char *name, size_t size) {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        name[0] = '\0';
        return;
    }
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    copy_text(name, size, slash ? slash + 1 : target);
}

// The first line of a small file; empty if it cannot be read.
static void read_word(const char *path, char *word, size_t size) {
    word[0] = '\0';
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = read(file, word, size - 1);
    close(file);
    word[length > 0 ? length : 0] = '\0';
    word[strcspn(word, "\n")] = '\0';
}

static bool bus_sleeps(const char *subsystem) {
    static const char *const slow[] = {"i2c", "spi", "usb", "hid"};
    for (size_t place = 0; place < sizeof slow / sizeof *slow; place++)
        if (strcmp(subsystem, slow[place]) == 0) return true;
    return false;
}

// Finds the parent device and its bus. /sys/bus/gpio/devices/gpiochipN is a link to a folder inside
// the parent's, so `..` from there is the parent.
static void describe_parent(const char *buses, struct detent_gpio_chip_info *info) {
    char path[PATH_MAX + 16], folder[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", buses, info->name);
    if (!realpath(path, folder)) return;
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return;
    *slash = '\0';
    slash = strrchr(folder, '/');
    copy_text(info->parent, sizeof info->parent, slash ? slash + 1 : folder);
    snprintf(path, sizeof path, "%s/name", folder);
    read_word(path, info->model, sizeof info->model);
    // An expander can be a cell of a device on a bus: the first parent on a slow bus decides.
    for (char *end = folder + strlen(folder); end > folder; end = strrchr(folder, '/')) {
        *end = '\0';
        char link[PATH_MAX + 16], subsystem[32];
        snprintf(link, sizeof link, "%s/subsystem", folder);
        link_name(link, subsystem, sizeof subsystem);
        if (!subsystem[0]) continue;
        if (!info->subsystem[0]) copy_text(info->subsystem, sizeof info->subsystem, subsystem);
        // For a controller behind PCI or USB, the bus nearest to the chip decides.
        if (bus_sleeps(subsystem)) info->sleeps = true;
        if (info->sleeps || strcmp(subsystem, "pci") == 0) break;
    }
}

static int compare_numbers(const struct dirent **left, const struct dirent **right) {
    return strverscmp((*left)->d_name, (*right)->d_name);
}

static int is_chip_name(const struct dirent *entry) {
    return strncmp(entry->d_name, "gpiochip", 8) == 0 && entry->d_name[8] != '\0';
}

int detent_gpio_scan(
    const char *devices, const char *buses, struct detent_gpio_chip_info *infos, size_t capacity
) {
    struct dirent **entries;
    int entry_count = scandir(devices, &entries, is_chip_name, compare_numbers);
    if (entry_count < 0) return errno ? -errno : -EIO;
    size_t count = 0;
    // First nodes, then links to devices without a node in this folder.
    for (int pass = 0; pass < 2; pass++) {
        for (int entry = 0; entry < entry_count; entry++) {
            char path[sizeof infos->path];
            struct stat status, link_status;
            int length = snprintf(path, sizeof path, "%s/%s", devices, entries[entry]->d_name);
            if (length < 0 || (size_t)length >= sizeof path) continue;
            if (lstat(path, &link_status) < 0 || stat(path, &status) < 0) continue;
            if (S_ISLNK(link_status.st_mode) != (pass == 1) || !S_ISCHR(status.st_mode)) continue;
            bool known = false;
            for (size_t place = 0; place < count && place < capacity; place++)
                known = known || infos[place].device == status.st_rdev;
            if (known) continue;
            if (count < capacity) {
                struct detent_gpio_chip_info *info = &infos[count];
                memset(info, 0, sizeof *info);
                copy_text(info->path, sizeof info->path, path);
                copy_text(info->name, sizeof info->name, entries[entry]->d_name);
                info->device = status.st_rdev;
                info->mode = status.st_mode & 07777;
                info->owner = status.st_uid;
                info->group = status.st_gid;
                detent_gpio_describe(info);
                describe_parent(buses, info);
            }
            count++;
        }
    }
    for (int entry = 0; entry < entry_count; entry++) free(entries[entry]);
    free(entries);
    return (int)count;
}
