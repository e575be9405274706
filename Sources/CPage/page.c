#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The files of simulator/web, sorted by name; a test compares the list with the folder.
static const unsigned char ask_js[] = {
#embed "../../simulator/web/ask.js"
};
static const unsigned char clock_js[] = {
#embed "../../simulator/web/clock.js"
};
static const unsigned char draw_js[] = {
#embed "../../simulator/web/draw.js"
};
static const unsigned char front_js[] = {
#embed "../../simulator/web/front.js"
};
static const unsigned char index_html[] = {
#embed "../../simulator/web/index.html"
};
static const unsigned char inspector_js[] = {
#embed "../../simulator/web/inspector.js"
};
static const unsigned char kinds_js[] = {
#embed "../../simulator/web/kinds.js"
};
static const unsigned char lamp_js[] = {
#embed "../../simulator/web/lamp.js"
};
static const unsigned char lanes_js[] = {
#embed "../../simulator/web/lanes.js"
};
static const unsigned char log_js[] = {
#embed "../../simulator/web/log.js"
};
static const unsigned char menus_js[] = {
#embed "../../simulator/web/menus.js"
};
static const unsigned char net_js[] = {
#embed "../../simulator/web/net.js"
};
static const unsigned char page_css[] = {
#embed "../../simulator/web/page.css"
};
static const unsigned char page_js[] = {
#embed "../../simulator/web/page.js"
};
static const unsigned char parts_css[] = {
#embed "../../simulator/web/parts.css"
};
static const unsigned char press_js[] = {
#embed "../../simulator/web/press.js"
};
static const unsigned char remote_js[] = {
#embed "../../simulator/web/remote.js"
};
static const unsigned char store_js[] = {
#embed "../../simulator/web/store.js"
};
static const unsigned char strip_js[] = {
#embed "../../simulator/web/strip.js"
};
static const unsigned char tools_css[] = {
#embed "../../simulator/web/tools.css"
};
static const unsigned char tools_js[] = {
#embed "../../simulator/web/tools.js"
};
static const unsigned char turns_js[] = {
#embed "../../simulator/web/turns.js"
};
static const unsigned char waves_js[] = {
#embed "../../simulator/web/waves.js"
};
static const unsigned char words_js[] = {
#embed "../../simulator/web/words.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct detent_page_file files[] = {
    FILE("ask.js", ask_js),
    FILE("clock.js", clock_js),
    FILE("draw.js", draw_js),
    FILE("front.js", front_js),
    FILE("index.html", index_html),
    FILE("inspector.js", inspector_js),
    FILE("kinds.js", kinds_js),
    FILE("lamp.js", lamp_js),
    FILE("lanes.js", lanes_js),
    FILE("log.js", log_js),
    FILE("menus.js", menus_js),
    FILE("net.js", net_js),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
    FILE("parts.css", parts_css),
    FILE("press.js", press_js),
    FILE("remote.js", remote_js),
    FILE("store.js", store_js),
    FILE("strip.js", strip_js),
    FILE("tools.css", tools_css),
    FILE("tools.js", tools_js),
    FILE("turns.js", turns_js),
    FILE("waves.js", waves_js),
    FILE("words.js", words_js),
};

const struct detent_page_file *detent_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
