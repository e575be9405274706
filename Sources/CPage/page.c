#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of simulator/web, in the order of the names; a test compares the list with the folder.
static const unsigned char index_html[] = {
#embed "../../simulator/web/index.html"
};
static const unsigned char page_css[] = {
#embed "../../simulator/web/page.css"
};
static const unsigned char page_js[] = {
#embed "../../simulator/web/page.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct detent_page_file files[] = {
    FILE("index.html", index_html),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
};

const struct detent_page_file *detent_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
