// The edges of the panel that Benchmarks/run measures, through a library that is asked for each
// contact every millisecond, as its users do: `debounce` compiles it with the library.
//
//     debounce-poll EDGES    handles so many edges, and prints the milliseconds and the changes
//
// LWBTN or BOUNCE2 says which library it is.

extern "C" {
#include "Recording.h"
}

#include <cstdio>
#include <cstdlib>

enum { contacts = 64 };

static uint8_t levels[contacts];
static unsigned long now_ms, changes;

#ifdef LWBTN

extern "C" {
#include "lwbtn/lwbtn.h"
}

static lwbtn_btn_t buttons[contacts];
static lwbtn_t group;

static uint8_t level_of(struct lwbtn *, struct lwbtn_btn *button)
{
    return levels[button - buttons];
}

static void on_event(struct lwbtn *, struct lwbtn_btn *, lwbtn_evt_t event)
{
    if (event == LWBTN_EVT_ONPRESS || event == LWBTN_EVT_ONRELEASE)
        changes++;
}

static void begin(void) { lwbtn_init_ex(&group, buttons, contacts, level_of, on_event); }
static void poll_all(void) { lwbtn_process_ex(&group, now_ms); }

#else

#include "Bounce2.h"

unsigned long millis(void) { return now_ms; }
int digitalRead(int pin) { return levels[pin]; }
void pinMode(int, int) {}

static Bounce bounces[contacts];

static void begin(void)
{
    for (int contact = 0; contact < contacts; contact++) {
        bounces[contact].attach(contact);
        bounces[contact].interval(20);
    }
}

static void poll_all(void)
{
    for (Bounce &bounce : bounces)
        changes += bounce.update();
}

#endif

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    long edges = atol(arguments[1]);
    const struct recorded_edge *recorded = recorded_edges(contacts);
    if (!recorded || edges < 1 || edges > RECORDED_EDGES)
        return 2;
    begin();
    for (long edge = 0; edge < edges; now_ms++) {
        for (; edge < edges && recorded[edge].at / 1000000 <= now_ms; edge++)
            levels[recorded[edge].line] = recorded[edge].level;
        poll_all();
    }
    printf("%lu ms, %lu changes\n", now_ms, changes);
    return 0;
}
