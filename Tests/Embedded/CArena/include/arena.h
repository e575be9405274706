#ifndef DETENT_ARENA_H
#define DETENT_ARENA_H

/* Bytes of the arena. */
#define ARENA_SIZE 262144

/* The one buffer of the engine under test: static, so that nothing has to be allocated. */
void *_Nonnull arena_base(void);

/* Bytes of the inbox. */
#define INBOX_SIZE 65536

/* Where another side writes what it gives to the core. */
void *_Nonnull inbox_base(void);

#ifdef __linux__
/* Calls of malloc and its kin by this process so far. */
unsigned long allocation_count(void);
#endif

#endif
