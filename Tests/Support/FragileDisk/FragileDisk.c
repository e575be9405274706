#include "FragileDisk.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The interface of a disk for SQLite, version 1: https://sqlite.org/c3ref/vfs.html
typedef struct File File;
typedef struct Methods {
    int version;
    int (*close)(File *);
    int (*read)(File *, void *, int, int64_t);
    int (*write)(File *, const void *, int, int64_t);
    int (*truncate)(File *, int64_t);
    int (*sync)(File *, int);
    int (*size)(File *, int64_t *);
    int (*lock)(File *, int);
    int (*unlock)(File *, int);
    int (*check_reserved)(File *, int *);
    int (*control)(File *, int, void *);
    int (*sector_size)(File *);
    int (*characteristics)(File *);
} Methods;
struct File {
    const Methods *methods;
    int place;
};
typedef struct Disk {
    int version;
    int file_size;
    int longest_path;
    struct Disk *next;
    const char *name;
    void *data;
    int (*open)(struct Disk *, const char *, File *, int, int *);
    int (*remove)(struct Disk *, const char *, int);
    int (*access)(struct Disk *, const char *, int, int *);
    int (*full_path)(struct Disk *, const char *, int, char *);
    void *(*dl_open)(struct Disk *, const char *);
    void (*dl_error)(struct Disk *, int, char *);
    void (*(*dl_sym)(struct Disk *, void *, const char *))(void);
    void (*dl_close)(struct Disk *, void *);
    int (*randomness)(struct Disk *, int, char *);
    int (*sleep)(struct Disk *, int);
    int (*time)(struct Disk *, double *);
    int (*last_error)(struct Disk *, int, char *);
} Disk;

enum { ok = 0, io_error = 10, short_read = 522, cannot_open = 14, not_found = 12 };
enum { files_at_most = 8, sector = 512 };

typedef struct Bytes {
    bool exists;
    char *bytes;
    size_t count, room;
} Bytes;

typedef struct Operation {
    enum { is_created, is_written, is_cut, is_synced, is_removed } kind;
    int place;
    size_t offset, count;
    char *bytes;
} Operation;

static char names[files_at_most][256];
static Bytes files[files_at_most];
static Operation *operations;
static size_t operation_count, operation_room;
static bool records, ignores_sync;
static int failing;

static void resize(Bytes *file, size_t count) {
    if (count > file->room) {
        file->room = 2 * count;
        file->bytes = realloc(file->bytes, file->room);
    }
    if (count > file->count) memset(file->bytes + file->count, 0, count - file->count);
    file->count = count;
}

static void put(Bytes *file, const char *bytes, size_t count, size_t offset) {
    if (offset + count > file->count) resize(file, offset + count);
    memcpy(file->bytes + offset, bytes, count);
}

static void record(int kind, int place, const void *bytes, size_t count, size_t offset) {
    if (!records) return;
    if (operation_count == operation_room) {
        operation_room = operation_room ? 2 * operation_room : 1024;
        operations = realloc(operations, operation_room * sizeof *operations);
    }
    Operation *it = &operations[operation_count++];
    *it = (Operation){.kind = kind, .place = place, .offset = offset, .count = count};
    if (bytes != NULL) {
        it->bytes = malloc(count);
        memcpy(it->bytes, bytes, count);
    }
}

static int place_of(const char *name) {
    for (int i = 0; i < files_at_most; i++) {
        if (names[i][0] == 0) {
            strncpy(names[i], name, sizeof names[i] - 1);
            return i;
        }
        if (strcmp(names[i], name) == 0) return i;
    }
    return -1;
}

static int file_close(File *file) { return (void)file, ok; }

static int file_read(File *file, void *bytes, int count, int64_t offset) {
    Bytes *it = &files[file->place];
    size_t there = (size_t)offset < it->count ? it->count - (size_t)offset : 0;
    size_t taken = there < (size_t)count ? there : (size_t)count;
    if (taken > 0) memcpy(bytes, it->bytes + offset, taken);
    if (taken == (size_t)count) return ok;
    memset((char *)bytes + taken, 0, (size_t)count - taken);
    return short_read;
}

static int file_write(File *file, const void *bytes, int count, int64_t offset) {
    if (failing != 0) return failing;
    put(&files[file->place], bytes, (size_t)count, (size_t)offset);
    record(is_written, file->place, bytes, (size_t)count, (size_t)offset);
    return ok;
}

static int file_truncate(File *file, int64_t count) {
    if (failing != 0) return failing;
    resize(&files[file->place], (size_t)count);
    record(is_cut, file->place, NULL, (size_t)count, 0);
    return ok;
}

static int file_sync(File *file, int flags) {
    (void)flags;
    if (failing != 0) return failing;
    if (!ignores_sync) record(is_synced, file->place, NULL, 0, 0);
    return ok;
}

static int file_size(File *file, int64_t *count) {
    *count = (int64_t)files[file->place].count;
    return ok;
}

static int file_lock(File *file, int kind) { return (void)file, (void)kind, ok; }
static int file_check_reserved(File *file, int *is) { return (void)file, *is = 0, ok; }
static int file_control(File *file, int code, void *data) {
    return (void)file, (void)code, (void)data, not_found;
}
static int file_sector_size(File *file) { return (void)file, sector; }
static int file_characteristics(File *file) { return (void)file, 0; }

static const Methods methods = {
    1,           file_close, file_read, file_write, file_truncate,
    file_sync,   file_size,  file_lock, file_lock,  file_check_reserved,
    file_control, file_sector_size, file_characteristics,
};

static int disk_open(Disk *disk, const char *name, File *file, int flags, int *given) {
    (void)disk;
    file->methods = NULL;
    int place = place_of(name == NULL ? "temporary" : name);
    if (place < 0) return cannot_open;
    if (!files[place].exists) {
        files[place].exists = true;
        record(is_created, place, NULL, 0, 0);
    }
    file->place = place;
    file->methods = &methods;
    if (given != NULL) *given = flags;
    return ok;
}

static int disk_remove(Disk *disk, const char *name, int sync) {
    (void)disk, (void)sync;
    int place = place_of(name);
    if (place < 0) return io_error;
    files[place].exists = false;
    files[place].count = 0;
    record(is_removed, place, NULL, 0, 0);
    return ok;
}

static int disk_access(Disk *disk, const char *name, int flags, int *is) {
    (void)disk, (void)flags;
    int place = place_of(name);
    *is = place >= 0 && files[place].exists;
    return ok;
}

static int disk_full_path(Disk *disk, const char *name, int room, char *path) {
    (void)disk;
    strncpy(path, name, (size_t)room);
    return ok;
}

static int disk_randomness(Disk *disk, int count, char *bytes) {
    (void)disk;
    // The salt of the log: a new one each time, and the same in each run.
    static uint64_t state = 1;
    for (int i = 0; i < count; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (char)(state >> 56);
    }
    return count;
}

static int disk_sleep(Disk *disk, int microseconds) { return (void)disk, microseconds; }
static int disk_time(Disk *disk, double *days) { return (void)disk, *days = 2460000, ok; }
static int disk_last_error(Disk *disk, int room, char *text) {
    return (void)disk, (void)room, (void)text, 0;
}

bool fragile_disk_register(void) {
    static Disk disk = {
        1, sizeof(File), 200, NULL, "fragile", NULL, disk_open, disk_remove, disk_access,
        disk_full_path, NULL, NULL, NULL, NULL, disk_randomness, disk_sleep, disk_time,
        disk_last_error,
    };
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    int (*add)(Disk *, int) = (int (*)(Disk *, int))dlsym(library, "sqlite3_vfs_register");
    return add != NULL && add(&disk, 0) == ok;
}

void fragile_disk_clear(bool forgets) {
    for (size_t i = 0; i < operation_count; i++) free(operations[i].bytes);
    operation_count = 0;
    for (int i = 0; i < files_at_most; i++) {
        files[i].exists = false;
        files[i].count = 0;
        names[i][0] = 0;
    }
    records = true;
    ignores_sync = forgets;
    failing = 0;
}

size_t fragile_disk_operations(void) { return operation_count; }

static uint64_t next(uint64_t *seed) {
    *seed = *seed * 6364136223846793005 + 1442695040888963407;
    return *seed >> 33;
}

/// Writes those sectors of an operation that reached the disk.
static void apply(const Operation *it, bool is_safe, uint64_t *seed) {
    Bytes *file = &files[it->place];
    switch (it->kind) {
        case is_created:
        case is_synced:
            break;
        case is_removed:
            file->exists = false;
            file->count = 0;
            break;
        case is_cut:
            if (is_safe || next(seed) % 2) resize(file, it->count);
            break;
        case is_written:
            for (size_t from = 0; from < it->count;) {
                size_t here = sector - (it->offset + from) % sector;
                if (here > it->count - from) here = it->count - from;
                if (is_safe || next(seed) % 4)
                    put(file, it->bytes + from, here, it->offset + from);
                from += here;
            }
            break;
    }
}

void fragile_disk_cut(size_t count, uint64_t seed) {
    records = false;
    failing = 0;
    size_t synced[files_at_most] = {0};
    for (size_t i = 0; i < count; i++)
        if (operations[i].kind == is_synced) synced[operations[i].place] = i;
    for (int i = 0; i < files_at_most; i++) {
        files[i].exists = false;
        files[i].count = 0;
    }
    // Half of the cuts are clean: nothing that was not synced is there.
    bool is_clean = next(&seed) % 2;
    for (size_t i = 0; i < count; i++) {
        const Operation *it = &operations[i];
        // Names are safe at once: SQLite syncs the folder of a new file itself.
        if (it->kind == is_created) files[it->place].exists = true;
        bool is_safe = i < synced[it->place] || it->kind == is_removed;
        if (is_safe || !is_clean) apply(it, is_safe, &seed);
    }
}

void fragile_disk_fail(int code) { failing = code; }
