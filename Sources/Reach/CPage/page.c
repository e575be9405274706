#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The files of simulator/web, sorted by name; a test compares the list with the folder.
static const unsigned char core_ask_js[] = {
#embed "../../../simulator/web/core/ask.js"
};
static const unsigned char core_bench_js[] = {
#embed "../../../simulator/web/core/bench.js"
};
static const unsigned char core_draw_js[] = {
#embed "../../../simulator/web/core/draw.js"
};
static const unsigned char core_early_js[] = {
#embed "../../../simulator/web/core/early.js"
};
static const unsigned char core_faces_js[] = {
#embed "../../../simulator/web/core/faces.js"
};
static const unsigned char core_front_js[] = {
#embed "../../../simulator/web/core/front.js"
};
static const unsigned char core_net_js[] = {
#embed "../../../simulator/web/core/net.js"
};
static const unsigned char core_notes_js[] = {
#embed "../../../simulator/web/core/notes.js"
};
static const unsigned char core_press_js[] = {
#embed "../../../simulator/web/core/press.js"
};
static const unsigned char core_store_js[] = {
#embed "../../../simulator/web/core/store.js"
};
static const unsigned char core_unit_js[] = {
#embed "../../../simulator/web/core/unit.js"
};
static const unsigned char core_words_js[] = {
#embed "../../../simulator/web/core/words.js"
};
static const unsigned char index_html[] = {
#embed "../../../simulator/web/index.html"
};
static const unsigned char letters_bold_woff2[] = {
#embed "../../../simulator/web/letters/bold.woff2"
};
static const unsigned char letters_medium_woff2[] = {
#embed "../../../simulator/web/letters/medium.woff2"
};
static const unsigned char page_css[] = {
#embed "../../../simulator/web/page.css"
};
static const unsigned char page_js[] = {
#embed "../../../simulator/web/page.js"
};
static const unsigned char parts_act_js[] = {
#embed "../../../simulator/web/parts/act.js"
};
static const unsigned char parts_caps_js[] = {
#embed "../../../simulator/web/parts/caps.js"
};
static const unsigned char parts_cover_js[] = {
#embed "../../../simulator/web/parts/cover.js"
};
static const unsigned char parts_forms_js[] = {
#embed "../../../simulator/web/parts/forms.js"
};
static const unsigned char parts_help_js[] = {
#embed "../../../simulator/web/parts/help.js"
};
static const unsigned char parts_lamp_js[] = {
#embed "../../../simulator/web/parts/lamp.js"
};
static const unsigned char parts_levers_js[] = {
#embed "../../../simulator/web/parts/levers.js"
};
static const unsigned char parts_menus_js[] = {
#embed "../../../simulator/web/parts/menus.js"
};
static const unsigned char parts_moves_js[] = {
#embed "../../../simulator/web/parts/moves.js"
};
static const unsigned char parts_parts_css[] = {
#embed "../../../simulator/web/parts/parts.css"
};
static const unsigned char parts_place_js[] = {
#embed "../../../simulator/web/parts/place.js"
};
static const unsigned char parts_question_js[] = {
#embed "../../../simulator/web/parts/question.js"
};
static const unsigned char parts_tray_js[] = {
#embed "../../../simulator/web/parts/tray.js"
};
static const unsigned char parts_turns_js[] = {
#embed "../../../simulator/web/parts/turns.js"
};
static const unsigned char tools_all_js[] = {
#embed "../../../simulator/web/tools/all.js"
};
static const unsigned char tools_clock_js[] = {
#embed "../../../simulator/web/tools/clock.js"
};
static const unsigned char tools_file_css[] = {
#embed "../../../simulator/web/tools/file.css"
};
static const unsigned char tools_file_js[] = {
#embed "../../../simulator/web/tools/file.js"
};
static const unsigned char tools_inspector_js[] = {
#embed "../../../simulator/web/tools/inspector.js"
};
static const unsigned char tools_lanes_js[] = {
#embed "../../../simulator/web/tools/lanes.js"
};
static const unsigned char tools_log_js[] = {
#embed "../../../simulator/web/tools/log.js"
};
static const unsigned char tools_strip_js[] = {
#embed "../../../simulator/web/tools/strip.js"
};
static const unsigned char tools_tools_css[] = {
#embed "../../../simulator/web/tools/tools.css"
};
static const unsigned char tools_tools_js[] = {
#embed "../../../simulator/web/tools/tools.js"
};
static const unsigned char tools_tour_js[] = {
#embed "../../../simulator/web/tools/tour.js"
};
static const unsigned char tools_waves_js[] = {
#embed "../../../simulator/web/tools/waves.js"
};
static const unsigned char tools_wiring_js[] = {
#embed "../../../simulator/web/tools/wiring.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct detent_page_file files[] = {
    FILE("core/ask.js", core_ask_js),
    FILE("core/bench.js", core_bench_js),
    FILE("core/draw.js", core_draw_js),
    FILE("core/early.js", core_early_js),
    FILE("core/faces.js", core_faces_js),
    FILE("core/front.js", core_front_js),
    FILE("core/net.js", core_net_js),
    FILE("core/notes.js", core_notes_js),
    FILE("core/press.js", core_press_js),
    FILE("core/store.js", core_store_js),
    FILE("core/unit.js", core_unit_js),
    FILE("core/words.js", core_words_js),
    FILE("index.html", index_html),
    FILE("letters/bold.woff2", letters_bold_woff2),
    FILE("letters/medium.woff2", letters_medium_woff2),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
    FILE("parts/act.js", parts_act_js),
    FILE("parts/caps.js", parts_caps_js),
    FILE("parts/cover.js", parts_cover_js),
    FILE("parts/forms.js", parts_forms_js),
    FILE("parts/help.js", parts_help_js),
    FILE("parts/lamp.js", parts_lamp_js),
    FILE("parts/levers.js", parts_levers_js),
    FILE("parts/menus.js", parts_menus_js),
    FILE("parts/moves.js", parts_moves_js),
    FILE("parts/parts.css", parts_parts_css),
    FILE("parts/place.js", parts_place_js),
    FILE("parts/question.js", parts_question_js),
    FILE("parts/tray.js", parts_tray_js),
    FILE("parts/turns.js", parts_turns_js),
    FILE("tools/all.js", tools_all_js),
    FILE("tools/clock.js", tools_clock_js),
    FILE("tools/file.css", tools_file_css),
    FILE("tools/file.js", tools_file_js),
    FILE("tools/inspector.js", tools_inspector_js),
    FILE("tools/lanes.js", tools_lanes_js),
    FILE("tools/log.js", tools_log_js),
    FILE("tools/strip.js", tools_strip_js),
    FILE("tools/tools.css", tools_tools_css),
    FILE("tools/tools.js", tools_tools_js),
    FILE("tools/tour.js", tools_tour_js),
    FILE("tools/waves.js", tools_waves_js),
    FILE("tools/wiring.js", tools_wiring_js),
};

const struct detent_page_file *detent_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
