// cli/output.c: what the program writes: that it can, before a run; that it did, at the end.
#include "cli.h"

#include <errno.h>
#include <string.h>

bool can_write(const char *command, const char *path)
{
    // Appending leaves what is there as it is until there is something better.
    FILE *file = fopen(path, "ab");
    if (!file) {
        fprintf(stderr, "ironbird %s: cannot write '%s': %s\n", command, path, strerror(errno));
        return false;
    }
    fclose(file);
    return true;
}

int finish_output(int code)
{
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    if (flushed && !ferror(stdout)) return code;
    fprintf(stderr, "ironbird: cannot write to the standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return code == EXIT_DONE || code == EXIT_EXPECTATION ? EXIT_FAILED : code;
}
