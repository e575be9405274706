// Passes recorded edges to the C floor. The engine's counterpart is Core/main.swift.
//
//     floor CONTROLS EDGES [log]

#include "core.h"
#include "Recording.h"
#include <stdlib.h>
#include <string.h>

struct host {
    uint64_t effects;
    uint32_t asked[64]; // lines to be read, in the order of asking
    uint32_t asked_count;
};

static void take(void *context, const struct effect *effect)
{
    struct host *host = context;
    host->effects++;
    if (effect->kind == LOGGED_READ_LEVEL)
        host->asked[host->asked_count++ % 64] = effect->subject;
}

static void take_and_log(void *context, const struct effect *effect)
{
    take(context, effect);
    log_effect(effect->at, effect->kind, effect->subject, effect->value);
}

int main(int count, char **arguments)
{
    if (count < 3 || atoi(arguments[1]) < 1 || atoi(arguments[2]) < 1 ||
        atoi(arguments[2]) > RECORDED_EDGES)
        tell_usage("floor CONTROLS EDGES [log]");
    int controls = atoi(arguments[1]), edge_count = atoi(arguments[2]);
    emit_function *emit = count > 3 && strcmp(arguments[3], "log") == 0 ? take_and_log : take;
    struct recorded_edge *edges = recorded_edges(controls);
    struct core *core = core_make(controls);
    uint8_t *levels = calloc((size_t)controls, 1);
    if (!edges || !core || !levels)
        return 1;
    struct host host = {0};
    uint64_t began = wall_clock();
    for (int index = 0; index < edge_count; index++) {
        struct recorded_edge edge = edges[index];
        levels[edge.line] = edge.level;
        core_edge(core, edge.line, edge.level, edge.sequence, edge.at, emit, &host);
        for (uint32_t answer = 0; answer < host.asked_count; answer++) {
            uint32_t line = host.asked[answer % 64];
            core_reading(core, line, levels[line], edge.at, emit, &host);
        }
        host.asked_count = 0;
    }
    uint64_t ended = wall_clock();
    core_tick(core, edges[edge_count - 1].at + 1000000000u, emit, &host);
    tell_figures(host.effects, ended - began, edge_count);
    return 0;
}
