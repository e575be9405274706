#include "CInput.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct named {
    const char *name;
    unsigned short code;
};

#define N(name) {#name, name}

/* The names of linux/input-event-codes.h. Of several names of one code, the usual one is first. */
static const struct named keys[] = {
    N(KEY_ESC), N(KEY_1), N(KEY_2), N(KEY_3), N(KEY_4), N(KEY_5), N(KEY_6), N(KEY_7), N(KEY_8),
    N(KEY_9), N(KEY_0), N(KEY_MINUS), N(KEY_EQUAL), N(KEY_BACKSPACE), N(KEY_TAB), N(KEY_Q),
    N(KEY_W), N(KEY_E), N(KEY_R), N(KEY_T), N(KEY_Y), N(KEY_U), N(KEY_I), N(KEY_O), N(KEY_P),
    N(KEY_LEFTBRACE), N(KEY_RIGHTBRACE), N(KEY_ENTER), N(KEY_LEFTCTRL), N(KEY_A), N(KEY_S),
    N(KEY_D), N(KEY_F), N(KEY_G), N(KEY_H), N(KEY_J), N(KEY_K), N(KEY_L), N(KEY_SEMICOLON),
    N(KEY_APOSTROPHE), N(KEY_GRAVE), N(KEY_LEFTSHIFT), N(KEY_BACKSLASH), N(KEY_Z), N(KEY_X),
    N(KEY_C), N(KEY_V), N(KEY_B), N(KEY_N), N(KEY_M), N(KEY_COMMA), N(KEY_DOT), N(KEY_SLASH),
    N(KEY_RIGHTSHIFT), N(KEY_KPASTERISK), N(KEY_LEFTALT), N(KEY_SPACE), N(KEY_CAPSLOCK), N(KEY_F1),
    N(KEY_F2), N(KEY_F3), N(KEY_F4), N(KEY_F5), N(KEY_F6), N(KEY_F7), N(KEY_F8), N(KEY_F9),
    N(KEY_F10), N(KEY_NUMLOCK), N(KEY_SCROLLLOCK), N(KEY_KP7), N(KEY_KP8), N(KEY_KP9),
    N(KEY_KPMINUS), N(KEY_KP4), N(KEY_KP5), N(KEY_KP6), N(KEY_KPPLUS), N(KEY_KP1), N(KEY_KP2),
    N(KEY_KP3), N(KEY_KP0), N(KEY_KPDOT), N(KEY_ZENKAKUHANKAKU), N(KEY_102ND), N(KEY_F11),
    N(KEY_F12), N(KEY_RO), N(KEY_KATAKANA), N(KEY_HIRAGANA), N(KEY_HENKAN),
    N(KEY_KATAKANAHIRAGANA), N(KEY_MUHENKAN), N(KEY_KPJPCOMMA), N(KEY_KPENTER), N(KEY_RIGHTCTRL),
    N(KEY_KPSLASH), N(KEY_SYSRQ), N(KEY_RIGHTALT), N(KEY_LINEFEED), N(KEY_HOME), N(KEY_UP),
    N(KEY_PAGEUP), N(KEY_LEFT), N(KEY_RIGHT), N(KEY_END), N(KEY_DOWN), N(KEY_PAGEDOWN),
    N(KEY_INSERT), N(KEY_DELETE), N(KEY_MACRO), N(KEY_MUTE), N(KEY_VOLUMEDOWN), N(KEY_VOLUMEUP),
    N(KEY_POWER), N(KEY_KPEQUAL), N(KEY_KPPLUSMINUS), N(KEY_PAUSE), N(KEY_SCALE), N(KEY_KPCOMMA),
    N(KEY_HANGEUL), N(KEY_HANGUEL), N(KEY_HANJA), N(KEY_YEN), N(KEY_LEFTMETA), N(KEY_RIGHTMETA),
    N(KEY_COMPOSE), N(KEY_STOP), N(KEY_AGAIN), N(KEY_PROPS), N(KEY_UNDO), N(KEY_FRONT),
    N(KEY_COPY), N(KEY_OPEN), N(KEY_PASTE), N(KEY_FIND), N(KEY_CUT), N(KEY_HELP), N(KEY_MENU),
    N(KEY_CALC), N(KEY_SETUP), N(KEY_SLEEP), N(KEY_WAKEUP), N(KEY_FILE), N(KEY_SENDFILE),
    N(KEY_DELETEFILE), N(KEY_XFER), N(KEY_PROG1), N(KEY_PROG2), N(KEY_WWW), N(KEY_MSDOS),
    N(KEY_COFFEE), N(KEY_SCREENLOCK), N(KEY_ROTATE_DISPLAY), N(KEY_DIRECTION), N(KEY_CYCLEWINDOWS),
    N(KEY_MAIL), N(KEY_BOOKMARKS), N(KEY_COMPUTER), N(KEY_BACK), N(KEY_FORWARD), N(KEY_CLOSECD),
    N(KEY_EJECTCD), N(KEY_EJECTCLOSECD), N(KEY_NEXTSONG), N(KEY_PLAYPAUSE), N(KEY_PREVIOUSSONG),
    N(KEY_STOPCD), N(KEY_RECORD), N(KEY_REWIND), N(KEY_PHONE), N(KEY_ISO), N(KEY_CONFIG),
    N(KEY_HOMEPAGE), N(KEY_REFRESH), N(KEY_EXIT), N(KEY_MOVE), N(KEY_EDIT), N(KEY_SCROLLUP),
    N(KEY_SCROLLDOWN), N(KEY_KPLEFTPAREN), N(KEY_KPRIGHTPAREN), N(KEY_NEW), N(KEY_REDO),
    N(KEY_F13), N(KEY_F14), N(KEY_F15), N(KEY_F16), N(KEY_F17), N(KEY_F18), N(KEY_F19), N(KEY_F20),
    N(KEY_F21), N(KEY_F22), N(KEY_F23), N(KEY_F24), N(KEY_PLAYCD), N(KEY_PAUSECD), N(KEY_PROG3),
    N(KEY_PROG4), N(KEY_ALL_APPLICATIONS), N(KEY_DASHBOARD), N(KEY_SUSPEND), N(KEY_CLOSE),
    N(KEY_PLAY), N(KEY_FASTFORWARD), N(KEY_BASSBOOST), N(KEY_PRINT), N(KEY_HP), N(KEY_CAMERA),
    N(KEY_SOUND), N(KEY_QUESTION), N(KEY_EMAIL), N(KEY_CHAT), N(KEY_SEARCH), N(KEY_CONNECT),
    N(KEY_FINANCE), N(KEY_SPORT), N(KEY_SHOP), N(KEY_ALTERASE), N(KEY_CANCEL),
    N(KEY_BRIGHTNESSDOWN), N(KEY_BRIGHTNESSUP), N(KEY_MEDIA), N(KEY_SWITCHVIDEOMODE),
    N(KEY_KBDILLUMTOGGLE), N(KEY_KBDILLUMDOWN), N(KEY_KBDILLUMUP), N(KEY_SEND), N(KEY_REPLY),
    N(KEY_FORWARDMAIL), N(KEY_SAVE), N(KEY_DOCUMENTS), N(KEY_BATTERY), N(KEY_BLUETOOTH),
    N(KEY_WLAN), N(KEY_UWB), N(KEY_UNKNOWN), N(KEY_VIDEO_NEXT), N(KEY_VIDEO_PREV),
    N(KEY_BRIGHTNESS_CYCLE), N(KEY_BRIGHTNESS_AUTO), N(KEY_BRIGHTNESS_ZERO), N(KEY_DISPLAY_OFF),
    N(KEY_WWAN), N(KEY_WIMAX), N(KEY_RFKILL), N(KEY_MICMUTE), N(BTN_0), N(BTN_1), N(BTN_2),
    N(BTN_3), N(BTN_4), N(BTN_5), N(BTN_6), N(BTN_7), N(BTN_8), N(BTN_9), N(BTN_LEFT),
    N(BTN_RIGHT), N(BTN_MIDDLE), N(BTN_SIDE), N(BTN_EXTRA), N(BTN_FORWARD), N(BTN_BACK),
    N(BTN_TASK), N(BTN_TRIGGER), N(BTN_THUMB), N(BTN_THUMB2), N(BTN_TOP), N(BTN_TOP2),
    N(BTN_PINKIE), N(BTN_BASE), N(BTN_BASE2), N(BTN_BASE3), N(BTN_BASE4), N(BTN_BASE5),
    N(BTN_BASE6), N(BTN_DEAD), N(BTN_SOUTH), N(BTN_A), N(BTN_EAST), N(BTN_B), N(BTN_C),
    N(BTN_NORTH), N(BTN_X), N(BTN_WEST), N(BTN_Y), N(BTN_Z), N(BTN_TL), N(BTN_TR), N(BTN_TL2),
    N(BTN_TR2), N(BTN_SELECT), N(BTN_START), N(BTN_MODE), N(BTN_THUMBL), N(BTN_THUMBR),
    N(BTN_TOOL_PEN), N(BTN_TOOL_RUBBER), N(BTN_TOOL_BRUSH), N(BTN_TOOL_PENCIL),
    N(BTN_TOOL_AIRBRUSH), N(BTN_TOOL_FINGER), N(BTN_TOOL_MOUSE), N(BTN_TOOL_LENS),
    N(BTN_TOOL_QUINTTAP), N(BTN_STYLUS3), N(BTN_TOUCH), N(BTN_STYLUS), N(BTN_STYLUS2),
    N(BTN_TOOL_DOUBLETAP), N(BTN_TOOL_TRIPLETAP), N(BTN_TOOL_QUADTAP), N(BTN_GEAR_DOWN),
    N(BTN_GEAR_UP), N(KEY_OK), N(KEY_SELECT), N(KEY_GOTO), N(KEY_CLEAR), N(KEY_POWER2),
    N(KEY_OPTION), N(KEY_INFO), N(KEY_TIME), N(KEY_VENDOR), N(KEY_ARCHIVE), N(KEY_PROGRAM),
    N(KEY_CHANNEL), N(KEY_FAVORITES), N(KEY_EPG), N(KEY_PVR), N(KEY_MHP), N(KEY_LANGUAGE),
    N(KEY_TITLE), N(KEY_SUBTITLE), N(KEY_ANGLE), N(KEY_FULL_SCREEN), N(KEY_ZOOM), N(KEY_MODE),
    N(KEY_KEYBOARD), N(KEY_ASPECT_RATIO), N(KEY_SCREEN), N(KEY_PC), N(KEY_TV), N(KEY_TV2),
    N(KEY_VCR), N(KEY_VCR2), N(KEY_SAT), N(KEY_SAT2), N(KEY_CD), N(KEY_TAPE), N(KEY_RADIO),
    N(KEY_TUNER), N(KEY_PLAYER), N(KEY_TEXT), N(KEY_DVD), N(KEY_AUX), N(KEY_MP3), N(KEY_AUDIO),
    N(KEY_VIDEO), N(KEY_DIRECTORY), N(KEY_LIST), N(KEY_MEMO), N(KEY_CALENDAR), N(KEY_RED),
    N(KEY_GREEN), N(KEY_YELLOW), N(KEY_BLUE), N(KEY_CHANNELUP), N(KEY_CHANNELDOWN), N(KEY_FIRST),
    N(KEY_LAST), N(KEY_AB), N(KEY_NEXT), N(KEY_RESTART), N(KEY_SLOW), N(KEY_SHUFFLE), N(KEY_BREAK),
    N(KEY_PREVIOUS), N(KEY_DIGITS), N(KEY_TEEN), N(KEY_TWEN), N(KEY_VIDEOPHONE), N(KEY_GAMES),
    N(KEY_ZOOMIN), N(KEY_ZOOMOUT), N(KEY_ZOOMRESET), N(KEY_WORDPROCESSOR), N(KEY_EDITOR),
    N(KEY_SPREADSHEET), N(KEY_GRAPHICSEDITOR), N(KEY_PRESENTATION), N(KEY_DATABASE), N(KEY_NEWS),
    N(KEY_VOICEMAIL), N(KEY_ADDRESSBOOK), N(KEY_MESSENGER), N(KEY_DISPLAYTOGGLE),
    N(KEY_BRIGHTNESS_TOGGLE), N(KEY_SPELLCHECK), N(KEY_LOGOFF), N(KEY_DOLLAR), N(KEY_EURO),
    N(KEY_FRAMEBACK), N(KEY_FRAMEFORWARD), N(KEY_CONTEXT_MENU), N(KEY_MEDIA_REPEAT),
    N(KEY_10CHANNELSUP), N(KEY_10CHANNELSDOWN), N(KEY_IMAGES), N(KEY_NOTIFICATION_CENTER),
    N(KEY_PICKUP_PHONE), N(KEY_HANGUP_PHONE), N(KEY_LINK_PHONE), N(KEY_DEL_EOL), N(KEY_DEL_EOS),
    N(KEY_INS_LINE), N(KEY_DEL_LINE), N(KEY_FN), N(KEY_FN_ESC), N(KEY_FN_F1), N(KEY_FN_F2),
    N(KEY_FN_F3), N(KEY_FN_F4), N(KEY_FN_F5), N(KEY_FN_F6), N(KEY_FN_F7), N(KEY_FN_F8),
    N(KEY_FN_F9), N(KEY_FN_F10), N(KEY_FN_F11), N(KEY_FN_F12), N(KEY_FN_1), N(KEY_FN_2),
    N(KEY_FN_D), N(KEY_FN_E), N(KEY_FN_F), N(KEY_FN_S), N(KEY_FN_B), N(KEY_FN_RIGHT_SHIFT),
    N(KEY_BRL_DOT1), N(KEY_BRL_DOT2), N(KEY_BRL_DOT3), N(KEY_BRL_DOT4), N(KEY_BRL_DOT5),
    N(KEY_BRL_DOT6), N(KEY_BRL_DOT7), N(KEY_BRL_DOT8), N(KEY_BRL_DOT9), N(KEY_BRL_DOT10),
    N(KEY_NUMERIC_0), N(KEY_NUMERIC_1), N(KEY_NUMERIC_2), N(KEY_NUMERIC_3), N(KEY_NUMERIC_4),
    N(KEY_NUMERIC_5), N(KEY_NUMERIC_6), N(KEY_NUMERIC_7), N(KEY_NUMERIC_8), N(KEY_NUMERIC_9),
    N(KEY_NUMERIC_STAR), N(KEY_NUMERIC_POUND), N(KEY_NUMERIC_A), N(KEY_NUMERIC_B),
    N(KEY_NUMERIC_C), N(KEY_NUMERIC_D), N(KEY_CAMERA_FOCUS), N(KEY_WPS_BUTTON),
    N(KEY_TOUCHPAD_TOGGLE), N(KEY_TOUCHPAD_ON), N(KEY_TOUCHPAD_OFF), N(KEY_CAMERA_ZOOMIN),
    N(KEY_CAMERA_ZOOMOUT), N(KEY_CAMERA_UP), N(KEY_CAMERA_DOWN), N(KEY_CAMERA_LEFT),
    N(KEY_CAMERA_RIGHT), N(KEY_ATTENDANT_ON), N(KEY_ATTENDANT_OFF), N(KEY_ATTENDANT_TOGGLE),
    N(KEY_LIGHTS_TOGGLE), N(BTN_DPAD_UP), N(BTN_DPAD_DOWN), N(BTN_DPAD_LEFT), N(BTN_DPAD_RIGHT),
    N(KEY_ALS_TOGGLE), N(KEY_ROTATE_LOCK_TOGGLE), N(KEY_REFRESH_RATE_TOGGLE), N(KEY_BUTTONCONFIG),
    N(KEY_TASKMANAGER), N(KEY_JOURNAL), N(KEY_CONTROLPANEL), N(KEY_APPSELECT), N(KEY_SCREENSAVER),
    N(KEY_VOICECOMMAND), N(KEY_ASSISTANT), N(KEY_KBD_LAYOUT_NEXT), N(KEY_EMOJI_PICKER),
    N(KEY_DICTATE), N(KEY_BRIGHTNESS_MIN), N(KEY_KBDINPUTASSIST_PREV), N(KEY_KBDINPUTASSIST_NEXT),
    N(KEY_KBDINPUTASSIST_PREVGROUP), N(KEY_KBDINPUTASSIST_NEXTGROUP), N(KEY_KBDINPUTASSIST_ACCEPT),
    N(KEY_KBDINPUTASSIST_CANCEL), N(KEY_RIGHT_UP), N(KEY_RIGHT_DOWN), N(KEY_LEFT_UP),
    N(KEY_LEFT_DOWN), N(KEY_ROOT_MENU), N(KEY_MEDIA_TOP_MENU), N(KEY_NUMERIC_11),
    N(KEY_NUMERIC_12), N(KEY_AUDIO_DESC), N(KEY_3D_MODE), N(KEY_NEXT_FAVORITE), N(KEY_STOP_RECORD),
    N(KEY_PAUSE_RECORD), N(KEY_VOD), N(KEY_UNMUTE), N(KEY_FASTREVERSE), N(KEY_SLOWREVERSE),
    N(KEY_DATA), N(KEY_ONSCREEN_KEYBOARD), N(KEY_PRIVACY_SCREEN_TOGGLE),
    N(KEY_SELECTIVE_SCREENSHOT), N(KEY_NEXT_ELEMENT), N(KEY_PREVIOUS_ELEMENT),
    N(KEY_AUTOPILOT_ENGAGE_TOGGLE), N(KEY_MARK_WAYPOINT), N(KEY_SOS), N(KEY_NAV_CHART),
    N(KEY_FISHING_CHART), N(KEY_SINGLE_RANGE_RADAR), N(KEY_DUAL_RANGE_RADAR), N(KEY_RADAR_OVERLAY),
    N(KEY_TRADITIONAL_SONAR), N(KEY_CLEARVU_SONAR), N(KEY_SIDEVU_SONAR), N(KEY_NAV_INFO),
    N(KEY_BRIGHTNESS_MENU), N(KEY_MACRO1), N(KEY_MACRO2), N(KEY_MACRO3), N(KEY_MACRO4),
    N(KEY_MACRO5), N(KEY_MACRO6), N(KEY_MACRO7), N(KEY_MACRO8), N(KEY_MACRO9), N(KEY_MACRO10),
    N(KEY_MACRO11), N(KEY_MACRO12), N(KEY_MACRO13), N(KEY_MACRO14), N(KEY_MACRO15), N(KEY_MACRO16),
    N(KEY_MACRO17), N(KEY_MACRO18), N(KEY_MACRO19), N(KEY_MACRO20), N(KEY_MACRO21), N(KEY_MACRO22),
    N(KEY_MACRO23), N(KEY_MACRO24), N(KEY_MACRO25), N(KEY_MACRO26), N(KEY_MACRO27), N(KEY_MACRO28),
    N(KEY_MACRO29), N(KEY_MACRO30), N(KEY_MACRO_RECORD_START), N(KEY_MACRO_RECORD_STOP),
    N(KEY_MACRO_PRESET_CYCLE), N(KEY_MACRO_PRESET1), N(KEY_MACRO_PRESET2), N(KEY_MACRO_PRESET3),
    N(KEY_KBD_LCD_MENU1), N(KEY_KBD_LCD_MENU2), N(KEY_KBD_LCD_MENU3), N(KEY_KBD_LCD_MENU4),
    N(KEY_KBD_LCD_MENU5), N(BTN_TRIGGER_HAPPY1), N(BTN_TRIGGER_HAPPY2), N(BTN_TRIGGER_HAPPY3),
    N(BTN_TRIGGER_HAPPY4), N(BTN_TRIGGER_HAPPY5), N(BTN_TRIGGER_HAPPY6), N(BTN_TRIGGER_HAPPY7),
    N(BTN_TRIGGER_HAPPY8), N(BTN_TRIGGER_HAPPY9), N(BTN_TRIGGER_HAPPY10), N(BTN_TRIGGER_HAPPY11),
    N(BTN_TRIGGER_HAPPY12), N(BTN_TRIGGER_HAPPY13), N(BTN_TRIGGER_HAPPY14), N(BTN_TRIGGER_HAPPY15),
    N(BTN_TRIGGER_HAPPY16), N(BTN_TRIGGER_HAPPY17), N(BTN_TRIGGER_HAPPY18), N(BTN_TRIGGER_HAPPY19),
    N(BTN_TRIGGER_HAPPY20), N(BTN_TRIGGER_HAPPY21), N(BTN_TRIGGER_HAPPY22), N(BTN_TRIGGER_HAPPY23),
    N(BTN_TRIGGER_HAPPY24), N(BTN_TRIGGER_HAPPY25), N(BTN_TRIGGER_HAPPY26), N(BTN_TRIGGER_HAPPY27),
    N(BTN_TRIGGER_HAPPY28), N(BTN_TRIGGER_HAPPY29), N(BTN_TRIGGER_HAPPY30), N(BTN_TRIGGER_HAPPY31),
    N(BTN_TRIGGER_HAPPY32), N(BTN_TRIGGER_HAPPY33), N(BTN_TRIGGER_HAPPY34), N(BTN_TRIGGER_HAPPY35),
    N(BTN_TRIGGER_HAPPY36), N(BTN_TRIGGER_HAPPY37), N(BTN_TRIGGER_HAPPY38), N(BTN_TRIGGER_HAPPY39),
    N(BTN_TRIGGER_HAPPY40), N(BTN_MISC), N(BTN_MOUSE), N(BTN_JOYSTICK), N(BTN_GAMEPAD),
    N(BTN_DIGI), N(BTN_WHEEL), N(BTN_TRIGGER_HAPPY),
};

static const struct named axes[] = {
    N(REL_X), N(REL_Y), N(REL_Z), N(REL_RX), N(REL_RY), N(REL_RZ), N(REL_HWHEEL), N(REL_DIAL),
    N(REL_WHEEL), N(REL_MISC), N(REL_WHEEL_HI_RES), N(REL_HWHEEL_HI_RES),
};

#undef N

static const struct named *table(int isAxis, size_t *count) {
    *count = isAxis ? sizeof(axes) / sizeof(*axes) : sizeof(keys) / sizeof(*keys);
    return isAxis ? axes : keys;
}

int detent_input_code(int isAxis, const char *name) {
    size_t count;
    const struct named *names = table(isAxis, &count);
    for (size_t place = 0; place < count; place++)
        if (strcmp(names[place].name, name) == 0) return names[place].code;
    return -1;
}

const char *detent_input_name(int isAxis, int code) {
    size_t count;
    const struct named *names = table(isAxis, &count);
    for (size_t place = 0; place < count; place++)
        if (names[place].code == code) return names[place].name;
    return NULL;
}

const char *detent_input_name_at(int isAxis, int place) {
    size_t count;
    const struct named *names = table(isAxis, &count);
    return place >= 0 && (size_t)place < count ? names[place].name : NULL;
}

int detent_input_open(const char *path, int isExclusive) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -errno;
    int clock = CLOCK_MONOTONIC;
    int failed = ioctl(file, EVIOCSCLOCKID, &clock) < 0 ? errno : 0;
    /* Who has not grabbed the device does not get its keys while another program has. */
    if (failed == 0 && ioctl(file, EVIOCGRAB, 1) < 0) failed = errno;
    if (failed == 0 && !isExclusive) ioctl(file, EVIOCGRAB, 0);
    if (failed != 0) close(file);
    return failed != 0 ? -failed : file;
}

void detent_input_close(int file) { close(file); }

int detent_input_keys(int file, unsigned char keys[DETENT_INPUT_KEY_BYTES]) {
    memset(keys, 0, DETENT_INPUT_KEY_BYTES);
    return ioctl(file, EVIOCGKEY(DETENT_INPUT_KEY_BYTES), keys) < 0 ? -errno : 0;
}

int detent_input_read(int file, struct detent_input_event *events, int capacity) {
    struct input_event raw[DETENT_INPUT_BATCH];
    if (capacity > DETENT_INPUT_BATCH) capacity = DETENT_INPUT_BATCH;
    ssize_t length = read(file, raw, (size_t)capacity * sizeof(*raw));
    if (length < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    int count = (int)((size_t)length / sizeof(*raw));
    for (int place = 0; place < count; place++) {
        const struct input_event *from = &raw[place];
        struct detent_input_event *to = &events[place];
        to->nanoseconds = (unsigned long long)from->input_event_sec * 1000000000ull
            + (unsigned long long)from->input_event_usec * 1000ull;
        to->code = from->code;
        to->value = from->value;
        to->kind = from->type == EV_KEY                                 ? DETENT_INPUT_KEY
            : from->type == EV_REL                                      ? DETENT_INPUT_AXIS
            : from->type == EV_SYN && from->code == SYN_REPORT          ? DETENT_INPUT_REPORT
            : from->type == EV_SYN && from->code == SYN_DROPPED         ? DETENT_INPUT_DROPPED
                                                                        : DETENT_INPUT_OTHER;
    }
    return count;
}

int detent_input_is_joystick(int code) {
    /* Those of a mouse are among them. */
    if (code >= BTN_MOUSE && code < BTN_JOYSTICK) return 0;
    return (code >= BTN_MISC && code < BTN_DIGI) || (code >= BTN_DPAD_UP && code <= BTN_DPAD_RIGHT)
        || (code >= BTN_TRIGGER_HAPPY1 && code <= BTN_TRIGGER_HAPPY40);
}

int detent_input_make(int file, const char *name, const unsigned short *keys, int count) {
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .version = 1}};
    strncpy(setup.name, name, sizeof(setup.name) - 1);
    if (ioctl(file, UI_SET_EVBIT, EV_KEY) < 0) return -errno;
    for (int place = 0; place < count; place++)
        if (ioctl(file, UI_SET_KEYBIT, keys[place]) < 0) return -errno;
    if (ioctl(file, UI_DEV_SETUP, &setup) < 0 || ioctl(file, UI_DEV_CREATE) < 0) return -errno;
    return 0;
}

int detent_input_press(unsigned char *bytes, unsigned short key, int isDown) {
    struct input_event events[2] = {
        {.type = EV_KEY, .code = key, .value = isDown},
        {.type = EV_SYN, .code = SYN_REPORT},
    };
    _Static_assert(sizeof(events) <= DETENT_INPUT_PRESS_BYTES, "room for two events");
    memcpy(bytes, events, sizeof(events));
    return sizeof(events);
}
