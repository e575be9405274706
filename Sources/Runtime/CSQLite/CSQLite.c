#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct detent_sqlite library;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// SQLITE_OPEN_NOFOLLOW exists from 3.31 on.
static const int oldest = 3031000;

static void load(void) {
    static const struct {
        const char *name;
        size_t place;
    } functions[] = {
        {"sqlite3_open_v2", offsetof(struct detent_sqlite, open)},
        {"sqlite3_close_v2", offsetof(struct detent_sqlite, close)},
        {"sqlite3_exec", offsetof(struct detent_sqlite, exec)},
        {"sqlite3_prepare_v2", offsetof(struct detent_sqlite, prepare)},
        {"sqlite3_step", offsetof(struct detent_sqlite, step)},
        {"sqlite3_reset", offsetof(struct detent_sqlite, reset)},
        {"sqlite3_finalize", offsetof(struct detent_sqlite, finalize)},
        {"sqlite3_bind_int64", offsetof(struct detent_sqlite, bind_int64)},
        {"sqlite3_bind_text", offsetof(struct detent_sqlite, bind_text)},
        {"sqlite3_column_int64", offsetof(struct detent_sqlite, column_int64)},
        {"sqlite3_column_text", offsetof(struct detent_sqlite, column_text)},
        {"sqlite3_column_bytes", offsetof(struct detent_sqlite, column_bytes)},
        {"sqlite3_extended_errcode", offsetof(struct detent_sqlite, extended_errcode)},
        {"sqlite3_system_errno", offsetof(struct detent_sqlite, system_errno)},
        {"sqlite3_errstr", offsetof(struct detent_sqlite, errstr)},
        {"sqlite3_busy_timeout", offsetof(struct detent_sqlite, busy_timeout)},
        {"sqlite3_libversion_number", offsetof(struct detent_sqlite, libversion_number)},
    };
    void *handle = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        failure = "libsqlite3.so.0 is not installed";
        return;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (function == NULL) {
            failure = "libsqlite3.so.0 lacks a function: it is too old";
            return;
        }
        *(void **)((char *)&library + functions[i].place) = function;
    }
    if (library.libversion_number() < oldest) failure = "libsqlite3.so.0 is older than 3.31";
}

const struct detent_sqlite *detent_sqlite_load(const char **cause) {
    pthread_once(&once, load);
    *cause = failure;
    return failure == NULL ? &library : NULL;
}

int detent_sqlite_bind(
    const struct detent_sqlite *library, void *statement, int place, const char *text, int length) {
    // SQLITE_TRANSIENT
    return library->bind_text(statement, place, text, length, (void (*)(void *))-1);
}
