#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char acting_js[] = {
#embed "../Servers/Page/acting.js"
};
static const unsigned char actions_js[] = {
#embed "../Servers/Page/actions.js"
};
static const unsigned char app_js[] = {
#embed "../Servers/Page/app.js"
};
static const unsigned char backup_js[] = {
#embed "../Servers/Page/backup.js"
};
static const unsigned char brew_targets_js[] = {
#embed "../Servers/Page/brew-targets.js"
};
static const unsigned char brew_timer_js[] = {
#embed "../Servers/Page/brew-timer.js"
};
static const unsigned char brew_js[] = {
#embed "../Servers/Page/brew.js"
};
static const unsigned char calibration_checks_js[] = {
#embed "../Servers/Page/calibration-checks.js"
};
static const unsigned char calibration_masses_js[] = {
#embed "../Servers/Page/calibration-masses.js"
};
static const unsigned char calibration_parts_js[] = {
#embed "../Servers/Page/calibration-parts.js"
};
static const unsigned char calibration_results_js[] = {
#embed "../Servers/Page/calibration-results.js"
};
static const unsigned char calibration_session_js[] = {
#embed "../Servers/Page/calibration-session.js"
};
static const unsigned char calibration_css[] = {
#embed "../Servers/Page/calibration.css"
};
static const unsigned char calibration_js[] = {
#embed "../Servers/Page/calibration.js"
};
static const unsigned char chart_cursor_js[] = {
#embed "../Servers/Page/chart-cursor.js"
};
static const unsigned char chart_curve_js[] = {
#embed "../Servers/Page/chart-curve.js"
};
static const unsigned char chart_input_js[] = {
#embed "../Servers/Page/chart-input.js"
};
static const unsigned char chart_marks_js[] = {
#embed "../Servers/Page/chart-marks.js"
};
static const unsigned char chart_css[] = {
#embed "../Servers/Page/chart.css"
};
static const unsigned char chart_js[] = {
#embed "../Servers/Page/chart.js"
};
static const unsigned char connection_js[] = {
#embed "../Servers/Page/connection.js"
};
static const unsigned char containers_js[] = {
#embed "../Servers/Page/containers.js"
};
static const unsigned char controls_js[] = {
#embed "../Servers/Page/controls.js"
};
static const unsigned char count_js[] = {
#embed "../Servers/Page/count.js"
};
static const unsigned char curve_card_js[] = {
#embed "../Servers/Page/curve-card.js"
};
static const unsigned char dialogs_js[] = {
#embed "../Servers/Page/dialogs.js"
};
static const unsigned char display_js[] = {
#embed "../Servers/Page/display.js"
};
static const unsigned char dom_js[] = {
#embed "../Servers/Page/dom.js"
};
static const unsigned char dose_js[] = {
#embed "../Servers/Page/dose.js"
};
static const unsigned char dosing_js[] = {
#embed "../Servers/Page/dosing.js"
};
static const unsigned char drag_js[] = {
#embed "../Servers/Page/drag.js"
};
static const unsigned char effects_js[] = {
#embed "../Servers/Page/effects.js"
};
static const unsigned char flow_chart_js[] = {
#embed "../Servers/Page/flow-chart.js"
};
static const unsigned char force_js[] = {
#embed "../Servers/Page/force.js"
};
static const unsigned char forms_js[] = {
#embed "../Servers/Page/forms.js"
};
static const unsigned char health_card_js[] = {
#embed "../Servers/Page/health-card.js"
};
static const unsigned char health_js[] = {
#embed "../Servers/Page/health.js"
};
static const unsigned char history_filters_js[] = {
#embed "../Servers/Page/history-filters.js"
};
static const unsigned char history_css[] = {
#embed "../Servers/Page/history.css"
};
static const unsigned char history_js[] = {
#embed "../Servers/Page/history.js"
};
static const unsigned char icon_180_png[] = {
#embed "../Servers/Page/icon-180.png"
};
static const unsigned char icon_192_png[] = {
#embed "../Servers/Page/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../Servers/Page/icon-512.png"
};
static const unsigned char icon_svg[] = {
#embed "../Servers/Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../Servers/Page/index.html"
};
static const unsigned char journal_js[] = {
#embed "../Servers/Page/journal.js"
};
static const unsigned char kiosk_css[] = {
#embed "../Servers/Page/kiosk.css"
};
static const unsigned char kiosk_js[] = {
#embed "../Servers/Page/kiosk.js"
};
static const unsigned char late_css[] = {
#embed "../Servers/Page/late.css"
};
static const unsigned char learned_js[] = {
#embed "../Servers/Page/learned.js"
};
static const unsigned char live_js[] = {
#embed "../Servers/Page/live.js"
};
static const unsigned char machine_js[] = {
#embed "../Servers/Page/machine.js"
};
static const unsigned char net_chart_js[] = {
#embed "../Servers/Page/net-chart.js"
};
static const unsigned char pad_finger_js[] = {
#embed "../Servers/Page/pad-finger.js"
};
static const unsigned char pad_link_js[] = {
#embed "../Servers/Page/pad-link.js"
};
static const unsigned char pad_stacks_js[] = {
#embed "../Servers/Page/pad-stacks.js"
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
static const unsigned char pairing_js[] = {
#embed "../Servers/Page/pairing.js"
};
static const unsigned char parts_js[] = {
#embed "../Servers/Page/parts.js"
};
static const unsigned char peek_js[] = {
#embed "../Servers/Page/peek.js"
};
static const unsigned char ranges_js[] = {
#embed "../Servers/Page/ranges.js"
};
static const unsigned char records_js[] = {
#embed "../Servers/Page/records.js"
};
static const unsigned char requests_js[] = {
#embed "../Servers/Page/requests.js"
};
static const unsigned char ring_js[] = {
#embed "../Servers/Page/ring.js"
};
static const unsigned char scale_js[] = {
#embed "../Servers/Page/scale.js"
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
static const unsigned char settings_zones_js[] = {
#embed "../Servers/Page/settings-zones.js"
};
static const unsigned char settings_css[] = {
#embed "../Servers/Page/settings.css"
};
static const unsigned char settings_js[] = {
#embed "../Servers/Page/settings.js"
};
static const unsigned char setup_parts_js[] = {
#embed "../Servers/Page/setup-parts.js"
};
static const unsigned char setup_css[] = {
#embed "../Servers/Page/setup.css"
};
static const unsigned char setup_js[] = {
#embed "../Servers/Page/setup.js"
};
static const unsigned char sound_js[] = {
#embed "../Servers/Page/sound.js"
};
static const unsigned char texts_js[] = {
#embed "../Servers/Page/texts.js"
};
static const unsigned char tools_css[] = {
#embed "../Servers/Page/tools.css"
};
static const unsigned char views_js[] = {
#embed "../Servers/Page/views.js"
};
static const unsigned char weighing_css[] = {
#embed "../Servers/Page/weighing.css"
};
static const unsigned char weighing_js[] = {
#embed "../Servers/Page/weighing.js"
};
static const unsigned char worker_js[] = {
#embed "../Servers/Page/worker.js"
};

#define FILE(name, content) {name, content, sizeof content}

static const struct grampad_page_file files[] = {
    FILE("acting.js", acting_js),
    FILE("actions.js", actions_js),
    FILE("app.js", app_js),
    FILE("backup.js", backup_js),
    FILE("brew-targets.js", brew_targets_js),
    FILE("brew-timer.js", brew_timer_js),
    FILE("brew.js", brew_js),
    FILE("calibration-checks.js", calibration_checks_js),
    FILE("calibration-masses.js", calibration_masses_js),
    FILE("calibration-parts.js", calibration_parts_js),
    FILE("calibration-results.js", calibration_results_js),
    FILE("calibration-session.js", calibration_session_js),
    FILE("calibration.css", calibration_css),
    FILE("calibration.js", calibration_js),
    FILE("chart-cursor.js", chart_cursor_js),
    FILE("chart-curve.js", chart_curve_js),
    FILE("chart-input.js", chart_input_js),
    FILE("chart-marks.js", chart_marks_js),
    FILE("chart.css", chart_css),
    FILE("chart.js", chart_js),
    FILE("connection.js", connection_js),
    FILE("containers.js", containers_js),
    FILE("controls.js", controls_js),
    FILE("count.js", count_js),
    FILE("curve-card.js", curve_card_js),
    FILE("dialogs.js", dialogs_js),
    FILE("display.js", display_js),
    FILE("dom.js", dom_js),
    FILE("dose.js", dose_js),
    FILE("dosing.js", dosing_js),
    FILE("drag.js", drag_js),
    FILE("effects.js", effects_js),
    FILE("flow-chart.js", flow_chart_js),
    FILE("force.js", force_js),
    FILE("forms.js", forms_js),
    FILE("health-card.js", health_card_js),
    FILE("health.js", health_js),
    FILE("history-filters.js", history_filters_js),
    FILE("history.css", history_css),
    FILE("history.js", history_js),
    FILE("icon-180.png", icon_180_png),
    FILE("icon-192.png", icon_192_png),
    FILE("icon-512.png", icon_512_png),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("journal.js", journal_js),
    FILE("kiosk.css", kiosk_css),
    FILE("kiosk.js", kiosk_js),
    FILE("late.css", late_css),
    FILE("learned.js", learned_js),
    FILE("live.js", live_js),
    FILE("machine.js", machine_js),
    FILE("net-chart.js", net_chart_js),
    FILE("pad-finger.js", pad_finger_js),
    FILE("pad-link.js", pad_link_js),
    FILE("pad-stacks.js", pad_stacks_js),
    FILE("pad.css", pad_css),
    FILE("pad.js", pad_js),
    FILE("page.css", page_css),
    FILE("page.js", page_js),
    FILE("pairing.js", pairing_js),
    FILE("parts.js", parts_js),
    FILE("peek.js", peek_js),
    FILE("ranges.js", ranges_js),
    FILE("records.js", records_js),
    FILE("requests.js", requests_js),
    FILE("ring.js", ring_js),
    FILE("scale.js", scale_js),
    FILE("sentences.js", sentences_js),
    FILE("settings-fields.js", settings_fields_js),
    FILE("settings-lists.js", settings_lists_js),
    FILE("settings-zones.js", settings_zones_js),
    FILE("settings.css", settings_css),
    FILE("settings.js", settings_js),
    FILE("setup-parts.js", setup_parts_js),
    FILE("setup.css", setup_css),
    FILE("setup.js", setup_js),
    FILE("sound.js", sound_js),
    FILE("texts.js", texts_js),
    FILE("tools.css", tools_css),
    FILE("views.js", views_js),
    FILE("weighing.css", weighing_css),
    FILE("weighing.js", weighing_js),
    FILE("worker.js", worker_js),
};

const struct grampad_page_file *grampad_page_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
