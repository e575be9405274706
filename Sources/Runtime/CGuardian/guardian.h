/* The guardian itself, for the thread that becomes it. */
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include "CGuardian.h"

#include <signal.h>

/* The signals that the guardian takes and passes on. */
sigset_t watched_signals(void);

/* Splits the process: becomes the guardian in the parent and does not return there. Returns 0 in
   the child with the signals of before, or a negative error number if nothing was split. */
int guard_panel(struct detent_guard *guard, const sigset_t *before);

#endif
