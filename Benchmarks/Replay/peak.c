// Runs a program, and prints the most memory that it had at a time, in kilobytes:
//
//     peak FILE PROGRAM ARGUMENT…        the figure goes to FILE
//
//     cc -O2 peak.c -o peak

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    FILE *file = fopen(arguments[1], "w");
    if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file) != 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
