// test/folder.h: a folder of its own for a test that writes files.
#ifndef IB_TEST_FOLDER_H
#define IB_TEST_FOLDER_H

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDER_PATH = 200 };

static char folder[] = "/tmp/ironbird-test-XXXXXX";

// For setup and teardown of a test.
static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[FOLDER_PATH];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

typedef struct FolderPath {
    char text[FOLDER_PATH];
} FolderPath;

static inline FolderPath in_folder(const char *name)
{
    FolderPath path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name).text, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// 0: the command succeeded in the folder.
static inline int shell(const char *command)
{
    char line[4096];
    snprintf(line, sizeof line, "cd %s && { %s; } > out.txt 2>&1 || { cat out.txt >&2; exit 1; }",
             folder, command);
    return system(line);
}

#endif
