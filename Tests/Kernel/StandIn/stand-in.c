// Stands for a program that a panel starts: what it prints, when it ends and how are decided by the
// device at the other end of a socket.
//
// It sends the length of what follows, then DETENT_CONTROL, DETENT_VALUE and its arguments, each
// with a zero byte at its end. Then it obeys: 'p' with a length and bytes prints them, 'x' with a
// number ends with that exit status.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int failed(void) { return 125; }

static int read_all(int file, void *room, size_t count) {
    char *place = room;
    while (count > 0) {
        ssize_t got = read(file, place, count);
        if (got <= 0) return 0;
        place += got;
        count -= (size_t)got;
    }
    return 1;
}

static int write_all(int file, const void *bytes, size_t count) {
    const char *place = bytes;
    while (count > 0) {
        ssize_t written = write(file, place, count);
        if (written <= 0) return 0;
        place += written;
        count -= (size_t)written;
    }
    return 1;
}

static char said[65536];
static uint32_t length = sizeof(uint32_t);

static void say(const char *word) {
    size_t count = word ? strlen(word) : 0;
    if (length + count + 1 > sizeof said) return;
    if (word) memcpy(said + length, word, count);
    length += (uint32_t)count + 1;
}

int main(int count, char **arguments) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, "/tmp/worlds/programs");
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) < 0) return failed();
    say(getenv("DETENT_CONTROL"));
    say(getenv("DETENT_VALUE"));
    const char *name = strrchr(arguments[0], '/');
    say(name ? name + 1 : arguments[0]);
    for (int place = 1; place < count; place++) say(arguments[place]);
    uint32_t rest = length - (uint32_t)sizeof rest;
    memcpy(said, &rest, sizeof rest);
    if (!write_all(file, said, length)) return failed();

    struct {
        char verb;
        uint8_t number[4];
    } order;
    while (read_all(file, &order, sizeof order)) {
        uint32_t number;
        memcpy(&number, order.number, sizeof number);
        if (order.verb == 'x') return (int)number;
        while (number > 0) {
            char part[4096];
            size_t wanted = number < sizeof part ? number : sizeof part;
            if (!read_all(file, part, wanted) || !write_all(STDOUT_FILENO, part, wanted)) {
                return failed();
            }
            number -= (uint32_t)wanted;
        }
    }
    return failed();
}
