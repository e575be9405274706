#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A disk in memory that forgets what was not synced, for SQLite: its name there is `fragile`.
///
/// One connection at a time uses it, with `locking_mode = EXCLUSIVE`. Only one thread.

/// Registers the disk; false if the library is missing.
bool fragile_disk_register(void);
/// Makes the disk empty, and records every operation from now on.
///
/// - forgets: the disk ignores every sync, as a broken one does.
void fragile_disk_clear(bool forgets);
/// The operations since then.
size_t fragile_disk_operations(void);
/// The disk after its power was cut behind the first `count` operations: what was synced, and of
/// the rest the sectors that the seed chooses. Nothing is recorded any more.
void fragile_disk_cut(size_t count, uint64_t seed);
/// From now on every write fails with this code of SQLite; 0 for none.
void fragile_disk_fail(int code);
