/* One connection to an MQTT broker, by libmosquitto, which is loaded when it is first needed. */
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What to connect to. Texts are read during detent_mqtt_open only; NULL where there is none. */
struct detent_mqtt_settings {
    const char *client;
    const char *user;
    const char *password;
    /* TLS, and the file or the folder of what is trusted. */
    bool is_secure;
    const char *authority_file;
    const char *authority_folder;
    const char *certificate;
    const char *key;
    /* Published by the broker, retained, when the connection is lost. */
    const char *will_topic;
    const char *will_text;
    /* The versions are 5, and 3.1.1 for brokers that do not speak it. */
    bool is_version_5;
};

/* Called from inside detent_mqtt_work, or from inside what sends. */
struct detent_mqtt_handlers {
    /* The broker has accepted (0) or refused the connection. */
    void (*connected)(void *context, int code);
    /* The connection is over: 0 if it was asked for. */
    void (*disconnected)(void *context, int code);
    /* The bytes hold during the call only. */
    void (*message)(
        void *context, const char *topic, const void *bytes, size_t count, bool is_retained);
    /*
     * The broker has taken a message of quality 1, or refused it with a code of 128 or more, which
     * only version 5 has; or a message of quality 0 was sent.
     */
    void (*published)(void *context, int number, int code);
    /* The broker has granted or refused a subscription. */
    void (*subscribed)(void *context, int number, bool is_granted);
};

struct detent_mqtt;

/*
 * Loads the library. Returns 0, or -1 with the reason; the text holds for the life of the process.
 * Call it again to try again.
 */
int detent_mqtt_load(const char **reason);

/*
 * Prepares a connection; nothing is sent. Returns an error number of the library. The handlers and
 * the context must live as long as the connection.
 */
int detent_mqtt_open(
    const struct detent_mqtt_settings *settings, const struct detent_mqtt_handlers *handlers,
    void *context, struct detent_mqtt **connection);

/* Looks up the host and connects; blocks. Returns an error number of the library. */
int detent_mqtt_connect(
    struct detent_mqtt *connection, const char *host, int port, int keep_alive);

/*
 * Quality 1 unless `is_fleeting`. `number` tells which message it is. With version 5, the broker
 * drops a message that it could not deliver for `expiry` seconds; 0 keeps it.
 */
int detent_mqtt_publish(
    struct detent_mqtt *connection, int *number, const char *topic, const void *bytes,
    size_t count, bool is_retained, bool is_fleeting, uint32_t expiry);

/* Whether an error number of detent_mqtt_publish says that the message is larger than allowed. */
bool detent_mqtt_is_too_large(int error);

/* Whether an error number says that there is no connection any more. */
bool detent_mqtt_is_lost(int error);

/*
 * With version 5, without the stored messages unless `wants_retained`, and without the messages of
 * this connection unless `hears_own`. With quality 0 nothing is acknowledged. `number` tells which
 * subscription it is.
 */
int detent_mqtt_subscribe(
    struct detent_mqtt *connection, int *number, const char *topic, int quality,
    bool wants_retained, bool hears_own);

/* The socket, for those that wait for many; negative without a connection. */
int detent_mqtt_descriptor(struct detent_mqtt *connection);

/*
 * Whether to wait for room to write. While a TLS handshake waits, 2.0.21 always says yes; call
 * detent_mqtt_work from time to time instead.
 */
bool detent_mqtt_wants_write(struct detent_mqtt *connection);

/*
 * Works on what is ready, without a wait. Call it from time to time even if nothing is ready: it
 * tests an idle connection. Returns an error number of the library; the connection is over unless
 * it is 0.
 */
int detent_mqtt_work(struct detent_mqtt *connection, bool is_readable, bool is_writable);

/* Asks for an orderly end; detent_mqtt_work carries it out. */
int detent_mqtt_disconnect(struct detent_mqtt *connection);

/* Ends the connection at once and frees it. */
void detent_mqtt_close(struct detent_mqtt *connection);

/* What an error number means; of the last TLS error, what OpenSSL says. */
const char *detent_mqtt_error(struct detent_mqtt *connection, int error);

/* What the code of a refused or ended connection means. */
const char *detent_mqtt_reason(bool is_version_5, int code);

#endif
