#include "CPage.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "../Servers/Page/app.js"
};
static const unsigned char calibration_results_js[] = {
#embed "../Servers/Page/calibration-results.js"
};
static const unsigned char calibration_texts_js[] = {
#embed "../Servers/Page/calibration-texts.js"
};
static const unsigned char calibration_css[] = {
#embed "../Servers/Page/calibration.css"
};
static const unsigned char calibration_js[] = {
#embed "../Servers/Page/calibration.js"
};
static const unsigned char chart_js[] = {
#embed "../Servers/Page/chart.js"
};
static const unsigned char force_js[] = {
#embed "../Servers/Page/force.js"
};
static const unsigned char history_texts_js[] = {
#embed "../Servers/Page/history-texts.js"
};
static const unsigned char history_css[] = {
#embed "../Servers/Page/history.css"
};
static const unsigned char history_js[] = {
#embed "../Servers/Page/history.js"
};
static const unsigned char icon_svg[] = {
#embed "../Servers/Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../Servers/Page/index.html"
};
static const unsigned char live_js[] = {
#embed "../Servers/Page/live.js"
};
static const unsigned char pad_finger_js[] = {
#embed "../Servers/Page/pad-finger.js"
};
static const unsigned char pad_css[] = {
#embed "../Servers/Page/pad.css"
};
static const unsigned char pad_js[] = {
#embed "../Servers/Page/pad.js"
};
static const unsigned char page_css[] = {
#embed "../Servers/Page/page.css"
};
static const unsigned char page_js[] = {
#embed "../Servers/Page/page.js"
};
static const unsigned char panels_js[] = {
#embed "../Servers/Page/panels.js"
};
static const unsigned char peek_js[] = {
#embed "../Servers/Page/peek.js"
};
static const unsigned char ranges_js[] = {
#embed "../Servers/Page/ranges.js"
};
static const unsigned char sentences_js[] = {
#embed "../Servers/Page/sentences.js"
};
static const unsigned char settings_fields_js[] = {
#embed "../Servers/Page/settings-fields.js"
};
static const unsigned char settings_lists_js[] = {
#embed "../Servers/Page/settings-lists.js"
};
static const unsigned char settings_texts_js[] = {
#embed "../Servers/Page/settings-texts.js"
};
static const unsigned char settings_zones_js[] = {
#embed "../Servers/Page/settings-zones.js"
};
static const unsigned char settings_css[] = {
#embed "../Servers/Page/settings.css"
};
static const unsigned char settings_js[] = {
#embed "../Servers/Page/settings.js"
};
static const unsigned char tools_js[] = {
#embed "../Servers/Page/tools.js"
};
static const unsigned char worker_js[] = {
#embed "../Servers/Page/worker.js"
};

static const struct {
  const char *name;
  struct grampad_page_file file;
} files[] = {
    {"app.js", {app_js, sizeof app_js}},
    {"calibration-results.js", {calibration_results_js, sizeof calibration_results_js}},
    {"calibration-texts.js", {calibration_texts_js, sizeof calibration_texts_js}},
    {"calibration.css", {calibration_css, sizeof calibration_css}},
    {"calibration.js", {calibration_js, sizeof calibration_js}},
    {"chart.js", {chart_js, sizeof chart_js}},
    {"force.js", {force_js, sizeof force_js}},
    {"history-texts.js", {history_texts_js, sizeof history_texts_js}},
    {"history.css", {history_css, sizeof history_css}},
    {"history.js", {history_js, sizeof history_js}},
    {"icon.svg", {icon_svg, sizeof icon_svg}},
    {"index.html", {index_html, sizeof index_html}},
    {"live.js", {live_js, sizeof live_js}},
    {"pad-finger.js", {pad_finger_js, sizeof pad_finger_js}},
    {"pad.css", {pad_css, sizeof pad_css}},
    {"pad.js", {pad_js, sizeof pad_js}},
    {"page.css", {page_css, sizeof page_css}},
    {"page.js", {page_js, sizeof page_js}},
    {"panels.js", {panels_js, sizeof panels_js}},
    {"peek.js", {peek_js, sizeof peek_js}},
    {"ranges.js", {ranges_js, sizeof ranges_js}},
    {"sentences.js", {sentences_js, sizeof sentences_js}},
    {"settings-fields.js", {settings_fields_js, sizeof settings_fields_js}},
    {"settings-lists.js", {settings_lists_js, sizeof settings_lists_js}},
    {"settings-texts.js", {settings_texts_js, sizeof settings_texts_js}},
    {"settings-zones.js", {settings_zones_js, sizeof settings_zones_js}},
    {"settings.css", {settings_css, sizeof settings_css}},
    {"settings.js", {settings_js, sizeof settings_js}},
    {"tools.js", {tools_js, sizeof tools_js}},
    {"worker.js", {worker_js, sizeof worker_js}},
};

struct grampad_page_file grampad_page_file(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return files[index].file;
  }
  return (struct grampad_page_file){NULL, 0};
}
