// test/folder.h: a folder of a test's own, which goes with all that is in it.
#ifndef IB_TEST_FOLDER_H
#define IB_TEST_FOLDER_H

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/ironbird-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

// The path of a file in it, in memory that the next call fills anew.
static inline const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#endif
