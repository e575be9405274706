/* Start-up, clock, serial line and console of a Cortex-M on an MPS2 board, and the few functions
   that the compiler calls. There is no malloc: a firmware that needs one cannot be linked.

   ARENA is the size of the engine's buffer in bytes, TICK how many milliseconds SysTick lets the
   processor sleep, at most 671. */
#include <stddef.h>

#include "machine.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_VALUE REGISTER(0xE000E018)
#define INTERRUPT_CONTROL REGISTER(0xE000ED04)
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_DIVIDER REGISTER(0x40004010)

/* 25 MHz: 40 ns a cycle, 25,000 cycles a millisecond. */
enum { cycle_nanoseconds = 40, cycles = 25000 * TICK, pending_tick = 1 << 26 };
static const uint8_t paint = 0xA5;

extern uint8_t bss_start[], bss_end[], data_start[], data_end[], data_source[], stack_top[];
extern uint32_t firmware(void);

static _Alignas(16) uint8_t arena[ARENA];
const uint32_t machine_arena_size = ARENA;
extern const uint8_t panel_start[], panel_end[], script_start[], script_end[];

void *machine_arena_start(void) { return arena; }
const void *machine_panel_start(void) { return panel_start; }
const void *machine_panel_end(void) { return panel_end; }
const void *machine_script_start(void) { return script_start; }
const void *machine_script_end(void) { return script_end; }

static volatile uint32_t ticks_low, ticks_high;

static void systick(void) {
    if (++ticks_low == 0) ticks_high++;
}

uint64_t machine_clock(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    uint64_t ticks = (uint64_t)ticks_high << 32 | ticks_low;
    uint32_t left = SYSTICK_VALUE;
    /* The tick came after interrupts were held back. */
    if (INTERRUPT_CONTROL & pending_tick) {
        left = SYSTICK_VALUE;
        ticks++;
    }
    __asm__ volatile("cpsie i" ::: "memory");
    return (ticks * cycles + (cycles - 1 - left)) * cycle_nanoseconds;
}

void machine_sleep(void) { __asm__ volatile("wfi" ::: "memory"); }

void machine_put(uint8_t byte) {
    while (UART_STATE & 1) {}
    UART_DATA = byte;
}

/* Semihosting: the debugger, here qemu, does what is asked. */
static uint32_t ask(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void say(const char *text) { ask(0x04, text); }

static _Noreturn void leave(uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    ask(0x20, block);
    for (;;) {}
}

void machine_tell(const char *name, uint32_t number) {
    char text[12];
    char *place = text + sizeof text - 1;
    *place = 0;
    do {
        *--place = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    say(name);
    say(" ");
    say(place);
    say("\n");
}

uint32_t machine_stack(void) {
    const uint8_t *place = bss_end;
    while (place < stack_top && *place == paint) place++;
    return (uint32_t)(stack_top - place);
}

void reset(void) {
    for (size_t i = 0; data_start + i < data_end; i++) data_start[i] = data_source[i];
    for (uint8_t *place = bss_start; place < bss_end; place++) *place = 0;
    uint8_t *here = __builtin_frame_address(0);
    for (uint8_t *place = bss_end; place < here - 64; place++) *(volatile uint8_t *)place = paint;
    UART_DIVIDER = 16;
    UART_CONTROL = 1;
    SYSTICK_RELOAD = cycles - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7;
    leave(firmware());
}

/* What the core would be wrong about, such as a damaged index, ends here. */
static void fault(void) {
    say("fault\n");
    leave(1);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, 0, 0,
    fault, systick,
};

/* Memory functions of the run-time interface for ARM; the order of their arguments differs. */
void *memcpy(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) ((volatile uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    if (to <= from) return memcpy(to, from, count);
    while (count--) ((volatile uint8_t *)to)[count] = ((const uint8_t *)from)[count];
    return to;
}

#define COPY(name, how) \
    void name(void *to, const void *from, size_t count) { how(to, from, count); }
COPY(__aeabi_memcpy, memcpy)
COPY(__aeabi_memcpy4, memcpy)
COPY(__aeabi_memcpy8, memcpy)
COPY(__aeabi_memmove, memmove)
COPY(__aeabi_memmove4, memmove)
COPY(__aeabi_memmove8, memmove)

#define FILL(name) \
    void name(void *to, size_t count, int value) { memset(to, value, count); }
FILL(__aeabi_memset)
FILL(__aeabi_memset4)
FILL(__aeabi_memset8)

#define CLEAR(name) \
    void name(void *to, size_t count) { memset(to, 0, count); }
CLEAR(__aeabi_memclr)
CLEAR(__aeabi_memclr4)
CLEAR(__aeabi_memclr8)

/* Arithmetic of 64 bits where the processor has none. By halves, so that none calls itself. */
typedef union {
    uint64_t whole;
    struct { uint32_t low, high; } half;
} Halves;

uint64_t __aeabi_llsl(uint64_t value, int by) {
    Halves it = {value}, result;
    if (by == 0) return value;
    result.half.low = by < 32 ? it.half.low << by : 0;
    result.half.high =
        by < 32 ? it.half.high << by | it.half.low >> (32 - by) : it.half.low << (by - 32);
    return result.whole;
}

uint64_t __aeabi_llsr(uint64_t value, int by) {
    Halves it = {value}, result;
    if (by == 0) return value;
    result.half.high = by < 32 ? it.half.high >> by : 0;
    result.half.low =
        by < 32 ? it.half.low >> by | it.half.high << (32 - by) : it.half.high >> (by - 32);
    return result.whole;
}

uint64_t __aeabi_lmul(uint64_t left, uint64_t right) {
    Halves a = {left}, b = {right}, result;
    uint32_t al = a.half.low & 0xFFFF, ah = a.half.low >> 16;
    uint32_t bl = b.half.low & 0xFFFF, bh = b.half.low >> 16;
    uint32_t low = al * bl, middle = ah * bl + (low >> 16), other = al * bh + (middle & 0xFFFF);
    result.half.low = other << 16 | (low & 0xFFFF);
    result.half.high = ah * bh + (middle >> 16) + (other >> 16) + a.half.low * b.half.high
        + a.half.high * b.half.low;
    return result.whole;
}

/* A bit at a time: a panel divides so when a potentiometer has turned. */
uint64_t detent_divide(uint64_t number, uint64_t by, uint64_t *rest) {
    uint64_t result = 0, left = 0;
    for (int bit = 0; bit < 64; bit++) {
        left = left << 1 | number >> 63;
        number <<= 1;
        result <<= 1;
        if (left < by) continue;
        left -= by;
        result |= 1;
    }
    *rest = left;
    return result;
}

int64_t detent_divide_signed(int64_t number, int64_t by, int64_t *rest) {
    uint64_t left;
    uint64_t result = detent_divide(
        number < 0 ? -(uint64_t)number : (uint64_t)number, by < 0 ? -(uint64_t)by : (uint64_t)by,
        &left);
    *rest = (int64_t)(number < 0 ? -left : left);
    return (int64_t)((number < 0) != (by < 0) ? -result : result);
}

/* The compiler expects the quotient in the first two registers, and the rest in the next two. */
#define DIVIDE(name, how) \
    __attribute__((naked)) void name(void) { \
        __asm__("push {r4, lr}\n sub sp, #16\n add r4, sp, #8\n str r4, [sp]\n bl " #how "\n" \
                "ldr r2, [sp, #8]\n ldr r3, [sp, #12]\n add sp, #16\n pop {r4, pc}"); \
    }
DIVIDE(__aeabi_uldivmod, detent_divide)
DIVIDE(__aeabi_ldivmod, detent_divide_signed)

#if __ARM_ARCH_6M__
/* The smallest cores have no division and count no zeros. */
uint64_t __aeabi_uidivmod(uint32_t number, uint32_t by) {
    Halves result = {0};
    uint32_t rest = 0;
    for (int bit = 31; bit >= 0; bit--) {
        rest = rest << 1 | (number >> bit & 1);
        if (rest < by) continue;
        rest -= by;
        result.half.low |= (uint32_t)1 << bit;
    }
    result.half.high = rest;
    return result.whole;
}

uint32_t __aeabi_uidiv(uint32_t number, uint32_t by) {
    return (uint32_t)__aeabi_uidivmod(number, by);
}

int __clzsi2(uint32_t number) {
    int zeros = 0;
    for (uint32_t bit = (uint32_t)1 << 31; bit && !(number & bit); bit >>= 1) zeros++;
    return zeros;
}
#endif
