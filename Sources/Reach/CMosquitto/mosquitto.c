#define _GNU_SOURCE
#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the interface of libmosquitto.so.1, which has not changed since 1.6. */
struct mosquitto;
struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};
typedef struct mqtt5__property mosquitto_property;

enum {
    SUCCESS = 0,
    NO_MEMORY = 1,
    INVALID = 3,
    LOST = 7,
    TLS = 8,
    BY_ERRNO = 14,
    OPTION_VERSION = 1,
    OPTION_NO_DELAY = 11,
    VERSION_311 = 4,
    VERSION_5 = 5,
    LOG_ERRORS = 8,
    EXPIRY = 2,
    LARGEST_PACKET = 39,
    PACKET_BYTES = 65536,
    NO_STORED = 0x20,
    NO_LOCAL = 0x04,
    NO_CONNECTION = 4,
    TOO_LARGE = 25,
    REFUSED = 128,
};

static struct {
    void *handle;
    int (*lib_init)(void);
    struct mosquitto *(*create)(const char *, bool, void *);
    void (*destroy)(struct mosquitto *);
    int (*int_option)(struct mosquitto *, int, int);
    int (*username_pw_set)(struct mosquitto *, const char *, const char *);
    int (*tls_set)(
        struct mosquitto *, const char *, const char *, const char *, const char *,
        int (*)(char *, int, int, void *));
    int (*will_set)(struct mosquitto *, const char *, int, const void *, int, bool);
    int (*connect_bind_v5)(
        struct mosquitto *, const char *, int, int, const char *, const mosquitto_property *);
    int (*publish_v5)(
        struct mosquitto *, int *, const char *, int, const void *, int, bool,
        const mosquitto_property *);
    int (*subscribe_v5)(
        struct mosquitto *, int *, const char *, int, int, const mosquitto_property *);
    int (*disconnect)(struct mosquitto *);
    int (*loop_read)(struct mosquitto *, int);
    int (*loop_write)(struct mosquitto *, int);
    int (*loop_misc)(struct mosquitto *);
    bool (*want_write)(struct mosquitto *);
    int (*socket)(struct mosquitto *);
    void (*connect_callback_set)(
        struct mosquitto *, void (*)(struct mosquitto *, void *, int));
    void (*disconnect_callback_set)(
        struct mosquitto *, void (*)(struct mosquitto *, void *, int));
    void (*message_callback_set)(
        struct mosquitto *,
        void (*)(struct mosquitto *, void *, const struct mosquitto_message *));
    void (*publish_v5_callback_set)(
        struct mosquitto *,
        void (*)(struct mosquitto *, void *, int, int, const mosquitto_property *));
    void (*subscribe_callback_set)(
        struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const int *));
    void (*log_callback_set)(
        struct mosquitto *, void (*)(struct mosquitto *, void *, int, const char *));
    int (*property_add_int32)(mosquitto_property **, int, uint32_t);
    void (*property_free_all)(mosquitto_property **);
    const char *(*strerror)(int);
    const char *(*connack_string)(int);
    const char *(*reason_string)(int);
} library;

static const struct {
    const char *name;
    void *place;
} functions[] = {
    {"mosquitto_lib_init", &library.lib_init},
    {"mosquitto_new", &library.create},
    {"mosquitto_destroy", &library.destroy},
    {"mosquitto_int_option", &library.int_option},
    {"mosquitto_username_pw_set", &library.username_pw_set},
    {"mosquitto_tls_set", &library.tls_set},
    {"mosquitto_will_set", &library.will_set},
    {"mosquitto_connect_bind_v5", &library.connect_bind_v5},
    {"mosquitto_publish_v5", &library.publish_v5},
    {"mosquitto_subscribe_v5", &library.subscribe_v5},
    {"mosquitto_disconnect", &library.disconnect},
    {"mosquitto_loop_read", &library.loop_read},
    {"mosquitto_loop_write", &library.loop_write},
    {"mosquitto_loop_misc", &library.loop_misc},
    {"mosquitto_want_write", &library.want_write},
    {"mosquitto_socket", &library.socket},
    {"mosquitto_connect_callback_set", &library.connect_callback_set},
    {"mosquitto_disconnect_callback_set", &library.disconnect_callback_set},
    {"mosquitto_message_callback_set", &library.message_callback_set},
    {"mosquitto_publish_v5_callback_set", &library.publish_v5_callback_set},
    {"mosquitto_subscribe_callback_set", &library.subscribe_callback_set},
    {"mosquitto_log_callback_set", &library.log_callback_set},
    {"mosquitto_property_add_int32", &library.property_add_int32},
    {"mosquitto_property_free_all", &library.property_free_all},
    {"mosquitto_strerror", &library.strerror},
    {"mosquitto_connack_string", &library.connack_string},
    {"mosquitto_reason_string", &library.reason_string},
};

struct detent_mqtt {
    struct mosquitto *client;
    const struct detent_mqtt_handlers *handlers;
    void *context;
    bool is_version_5;
    char tls_error[256];
};

int detent_mqtt_load(const char **reason) {
    if (library.handle) return 0;
    void *handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        *reason = "libmosquitto.so.1 is not installed";
        return -1;
    }
    for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
        void *function = dlsym(handle, functions[place].name);
        if (!function) {
            *reason = "libmosquitto.so.1 is too old";
            dlclose(handle);
            return -1;
        }
        memcpy(functions[place].place, &function, sizeof function);
    }
    library.lib_init();
    library.handle = handle;
    return 0;
}

static void did_connect(struct mosquitto *client, void *context, int code) {
    (void)client;
    struct detent_mqtt *connection = context;
    connection->handlers->connected(connection->context, code);
}

static void did_disconnect(struct mosquitto *client, void *context, int code) {
    (void)client;
    struct detent_mqtt *connection = context;
    connection->handlers->disconnected(connection->context, code);
}

static void did_receive(
    struct mosquitto *client, void *context, const struct mosquitto_message *message
) {
    (void)client;
    struct detent_mqtt *connection = context;
    size_t count = message->payloadlen > 0 ? (size_t)message->payloadlen : 0;
    connection->handlers->message(
        connection->context, message->topic, message->payload, count, message->retain);
}

static void did_publish(
    struct mosquitto *client, void *context, int number, int code,
    const mosquitto_property *properties
) {
    (void)client, (void)properties;
    struct detent_mqtt *connection = context;
    connection->handlers->published(connection->context, number, code);
}

static void did_subscribe(
    struct mosquitto *client, void *context, int number, int count, const int *granted
) {
    (void)client;
    struct detent_mqtt *connection = context;
    bool is_granted = count > 0 && granted[0] < REFUSED;
    connection->handlers->subscribed(connection->context, number, is_granted);
}

static void did_log(struct mosquitto *client, void *context, int level, const char *text) {
    (void)client;
    struct detent_mqtt *connection = context;
    if (level != LOG_ERRORS || !(strstr(text, "OpenSSL") || strstr(text, "verification"))) return;
    snprintf(connection->tls_error, sizeof connection->tls_error, "%s", text);
}

/* The key of a certificate must not ask the terminal for its password. */
static int refuse_password(char *text, int size, int rw, void *context) {
    (void)text, (void)size, (void)rw, (void)context;
    return 0;
}

static int set(struct detent_mqtt *connection, const struct detent_mqtt_settings *settings) {
    struct mosquitto *client = connection->client;
    int error = library.int_option(
        client, OPTION_VERSION, settings->is_version_5 ? VERSION_5 : VERSION_311);
    /* A state follows its event at once, not after the broker's delayed acknowledgement: 40 ms. */
    if (error == SUCCESS) (void)library.int_option(client, OPTION_NO_DELAY, 1);
    if (error == SUCCESS && settings->user)
        error = library.username_pw_set(client, settings->user, settings->password);
    if (error == SUCCESS && settings->is_secure)
        error = library.tls_set(
            client, settings->authority_file, settings->authority_folder, settings->certificate,
            settings->key, refuse_password);
    if (error == SUCCESS && settings->will_topic)
        error = library.will_set(
            client, settings->will_topic, (int)strlen(settings->will_text), settings->will_text, 1,
            true);
    return error;
}

int detent_mqtt_open(
    const struct detent_mqtt_settings *settings, const struct detent_mqtt_handlers *handlers,
    void *context, struct detent_mqtt **result
) {
    struct detent_mqtt *connection = calloc(1, sizeof *connection);
    if (!connection) return NO_MEMORY;
    connection->handlers = handlers;
    connection->context = context;
    connection->is_version_5 = settings->is_version_5;
    connection->client = library.create(settings->client, true, connection);
    if (!connection->client) {
        free(connection);
        return NO_MEMORY;
    }
    library.connect_callback_set(connection->client, did_connect);
    library.disconnect_callback_set(connection->client, did_disconnect);
    library.message_callback_set(connection->client, did_receive);
    library.publish_v5_callback_set(connection->client, did_publish);
    library.subscribe_callback_set(connection->client, did_subscribe);
    /* With a callback, the library writes a text for each packet. Only errors of TLS need one. */
    if (settings->is_secure) library.log_callback_set(connection->client, did_log);
    *result = connection;
    return set(connection, settings);
}

int detent_mqtt_connect(
    struct detent_mqtt *connection, const char *host, int port, int keep_alive
) {
    mosquitto_property *properties = NULL;
    connection->tls_error[0] = 0;
    if (connection->is_version_5)
        library.property_add_int32(&properties, LARGEST_PACKET, PACKET_BYTES);
    int error = library.connect_bind_v5(
        connection->client, host, port, keep_alive, NULL, properties);
    library.property_free_all(&properties);
    return error;
}

int detent_mqtt_publish(
    struct detent_mqtt *connection, int *number, const char *topic, const void *bytes,
    size_t count, bool is_retained, bool is_fleeting, uint32_t expiry
) {
    mosquitto_property *properties = NULL;
    if (connection->is_version_5 && expiry > 0)
        library.property_add_int32(&properties, EXPIRY, expiry);
    int error = library.publish_v5(
        connection->client, number, topic, (int)count, bytes, is_fleeting ? 0 : 1, is_retained,
        properties);
    library.property_free_all(&properties);
    return error;
}

bool detent_mqtt_is_too_large(int error) { return error == TOO_LARGE; }

bool detent_mqtt_is_lost(int error) {
    return error == NO_CONNECTION || error == LOST || error == TLS || error == BY_ERRNO;
}

int detent_mqtt_subscribe(
    struct detent_mqtt *connection, int *number, const char *topic, int quality,
    bool wants_retained, bool hears_own
) {
    int options = 0;
    if (connection->is_version_5 && !wants_retained) options |= NO_STORED;
    if (connection->is_version_5 && !hears_own) options |= NO_LOCAL;
    return library.subscribe_v5(connection->client, number, topic, quality, options, NULL);
}

int detent_mqtt_descriptor(struct detent_mqtt *connection) {
    return library.socket(connection->client);
}

bool detent_mqtt_wants_write(struct detent_mqtt *connection) {
    return library.want_write(connection->client);
}

int detent_mqtt_work(struct detent_mqtt *connection, bool is_readable, bool is_writable) {
    struct mosquitto *client = connection->client;
    if (library.socket(client) < 0) return LOST;
    int error = SUCCESS;
    if (is_readable) error = library.loop_read(client, 1);
    if (error == SUCCESS && is_writable && library.want_write(client))
        error = library.loop_write(client, 1);
    if (error == SUCCESS) error = library.loop_misc(client);
    return error;
}

int detent_mqtt_disconnect(struct detent_mqtt *connection) {
    return library.disconnect(connection->client);
}

void detent_mqtt_close(struct detent_mqtt *connection) {
    library.destroy(connection->client);
    free(connection);
}

const char *detent_mqtt_error(struct detent_mqtt *connection, int error) {
    if (error == TLS && connection && connection->tls_error[0]) return connection->tls_error;
    if (error == BY_ERRNO) return strerror(errno);
    return library.strerror(error);
}

const char *detent_mqtt_reason(bool is_version_5, int code) {
    return is_version_5 ? library.reason_string(code) : library.connack_string(code);
}
