// test/run_many.c: `ironbird run` for many scenarios in one process, so that the sanitizer looks
// for leaks once and not after each (3 s each on aarch64): build/asan/run_many scenarios/*.yaml.
// Prints an "ok" or a "not ok" line for each. A leak is told at the end, by the exit code.
#include "../cli/cli.h"

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        char *words[] = {"run", argv[i], NULL};
        bool good = cmd_run(2, words) == EXIT_DONE;
        printf("%s %s, sanitized, behind others\n", good ? "ok" : "not ok", argv[i]);
        fflush(stdout);
        failed += !good;
    }
    return failed > 0 || argc < 2;
}
