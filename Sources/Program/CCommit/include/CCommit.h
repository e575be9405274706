#ifndef DETENT_COMMIT_H
#define DETENT_COMMIT_H

/// The commit that this program was built from, as `Packaging/commit` printed it; empty if the
/// build did not say it.
const char *detent_commit(void);

#endif
