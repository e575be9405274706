/// Which mutant is active in this process, and which places were reached.
#pragma once

#define MUTANTS_MAX 65536

/// The number of the active mutant; 0 where the code is as it was written. Read from `MUTANT`.
extern int mutant_active;
/// A byte for each mutant: 1 after its place was evaluated. Written to the file `MUTANT_REACHED`.
extern unsigned char mutant_reached[MUTANTS_MAX];

/// Notes that the place of a mutant is reached; true where the mutant is active.
__attribute__((always_inline)) static inline _Bool mutant(int number) {
    mutant_reached[number] = 1;
    return mutant_active == number;
}
