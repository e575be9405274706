#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of simulator/web, in the order of the names; a test compares the list with the folder.
static const unsigned char clock_js[] = {
#embed "../../simulator/web/clock.js"
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
static const unsigned char log_js[] = {
#embed "../../simulator/web/log.js"
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
static const unsigned char store_js[] = {
#embed "../../simulator/web/store.js"
};
static const unsigned char tools_css[] = {
#embed "../../simulator/web/tools.css"
};
static const unsigned char waves_js[] = {
#embed "../../simulator/web/waves.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct detent_page_file files[] = {
    FILE("clock.js", clock_js),
    FILE("front.js", front_js),
    FILE("index.html", index_html),
    FILE("inspector.js", inspector_js),
    FILE("log.js", log_js),
    FILE("net.js", net_js),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
    FILE("parts.css", parts_css),
    FILE("store.js", store_js),
    FILE("tools.css", tools_css),
    FILE("waves.js", waves_js),
};

const struct detent_page_file *detent_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
