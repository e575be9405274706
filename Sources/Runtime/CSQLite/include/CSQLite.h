#pragma once

#include <stdint.h>

/// The functions of SQLite that Detent calls.
///
/// The library is loaded when it is first needed, so the program starts without it. A `void *` is a
/// connection or a statement of the library.
struct detent_sqlite {
    int (*open)(const char *name, void **database, int flags, const char *vfs);
    int (*close)(void *database);
    int (*exec)(
        void *database, const char *text, int (*row)(void *, int, char **, char **), void *context,
        char **message);
    int (*prepare)(
        void *database, const char *text, int length, void **statement, const char **rest);
    int (*step)(void *statement);
    int (*reset)(void *statement);
    int (*finalize)(void *statement);
    int (*bind_int64)(void *statement, int place, int64_t number);
    int (*bind_text)(
        void *statement, int place, const char *text, int length, void (*release)(void *));
    int64_t (*column_int64)(void *statement, int place);
    const unsigned char *(*column_text)(void *statement, int place);
    int (*column_bytes)(void *statement, int place);
    int (*extended_errcode)(void *database);
    int (*system_errno)(void *database);
    const char *(*errstr)(int code);
    int (*busy_timeout)(void *database, int milliseconds);
    int (*libversion_number)(void);
};

/// Loads the library on the first call; from any thread.
///
/// Returns NULL if it is missing or too old. Then `cause` is a text that says why; it stays valid.
const struct detent_sqlite *detent_sqlite_load(const char **cause);

/// Binds a text that the library copies: the constant for it is a cast that Swift cannot write.
int detent_sqlite_bind(
    const struct detent_sqlite *library, void *statement, int place, const char *text, int length);
