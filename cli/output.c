// cli/output.c: the program's output: checked to be possible before a run, and to be complete at
// the end.
#include "cli.h"

#include "base/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_write(const char *command, const char *path)
{
    if (ib_output_try(path)) return true;
    ib_tell(stderr, "ironbird %s: cannot write '%s': %s\n", command, path, ib_output_reason(errno));
    return false;
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// The folder of a path that does not exist yet; its last name is returned, NULL: no such folder.
static const char *find_folder(const char *path, struct stat *folder)
{
    char text[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof text) return NULL;
    memcpy(text, path, length);
    text[length] = '\0';
    return stat(length ? text : ".", folder) == 0 ? path + length : NULL;
}

// Would one of these destroy the other? Files that are there are compared as files, however they
// are spelled or linked; in a pipe two would be mixed; devices keep nothing that could be lost.
static bool same_file(const char *one, const char *other)
{
    struct stat a, b;
    bool has_a = stat(one, &a) == 0, has_b = stat(other, &b) == 0;
    if (has_a != has_b) return false;
    if (has_a) return !S_ISCHR(a.st_mode) && same_inode(&a, &b);
    const char *name = find_folder(one, &a), *name_b = find_folder(other, &b);
    return name && name_b ? same_inode(&a, &b) && !strcmp(name, name_b) : !strcmp(one, other);
}

// The input that this would overwrite; NULL: none.
static const char *overwritten(const char *path, const Files *files)
{
    for (int i = 0; i < MAX_INPUT_LISTS; i++)
        for (const char *const *input = files->inputs[i]; input && *input; input++)
            if (same_file(path, *input)) return *input;
    return NULL;
}

static bool outputs_differ(const char *command, const Files *files)
{
    for (int i = 0; i < MAX_OUTPUTS; i++) {
        const char *path = files->outputs[i];
        const char *input = path ? overwritten(path, files) : NULL;
        if (input) {
            ib_tell(stderr, "ironbird %s: '%s' would overwrite its input '%s'\n", command, path,
                    input);
            return false;
        }
        for (int j = 0; path && j < i; j++) {
            if (!files->outputs[j] || !same_file(path, files->outputs[j])) continue;
            ib_tell(stderr, "ironbird %s: '%s' would overwrite '%s', which is written too\n",
                    command, path, files->outputs[j]);
            return false;
        }
    }
    return true;
}

// An output that is the standard output has it for itself.
static bool make_way(const char *command, const Files *files)
{
    for (int i = 0; i < MAX_OUTPUTS; i++) {
        const char *path = files->outputs[i];
        if (!path || !ib_output_is_standard(path)) continue;
        if (files->json) {
            ib_tell(stderr, "ironbird %s: '%s' is the standard output, to which --json prints\n",
                    command, path);
            return false;
        }
        stdout = stderr; // further text goes there; the C library allows the assignment
    }
    return true;
}

// Elsewhere a dash is the standard output; a file of that name is never intended.
static bool names_are_plain(const char *command, const Files *files)
{
    for (int i = 0; i < MAX_OUTPUTS; i++) {
        if (!files->outputs[i] || strcmp(files->outputs[i], "-") != 0) continue;
        ib_tell(
            stderr,
            "ironbird %s: '-' is no name to write to: the standard output is /dev/stdout, and a "
            "file that is called so ./-\n",
            command);
        return false;
    }
    return true;
}

bool can_write_all(const char *command, const Files *files)
{
    if (!names_are_plain(command, files)) return false;
    if (!outputs_differ(command, files)) return false;
    for (int i = 0; i < MAX_OUTPUTS; i++)
        if (files->outputs[i] && !can_write(command, files->outputs[i])) return false;
    // A link into the void has a file behind it now, which may be another one of them.
    return outputs_differ(command, files) && make_way(command, files);
}

// ----------------------------------------------------------------------------------------- its end

int exit_code_of(ib_Status status)
{
    switch (status) {
    case IB_OK:
        return EXIT_DONE;
    case IB_BAD_INPUT:
        return EXIT_BAD_INPUT;
    case IB_INTERRUPTED:
        return EXIT_INTERRUPTED;
    default:
        return EXIT_FAILED;
    }
}

void begin_output(void)
{
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

// True if the reader of standard output is gone: `ironbird list | head` is no failure.
static bool reader_is_gone(void)
{
    struct pollfd standard = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&standard, 1, 0) == 1 && (standard.revents & POLLERR);
}

int finish_output(int code)
{
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    if (flushed && !ferror(stdout)) return code;
    int reason = errno;
    if (reader_is_gone()) {
        signal(SIGPIPE, SIG_DFL); // ends without a word, as other programs do
        raise(SIGPIPE);
    }
    ib_tell(stderr, "ironbird: cannot write to the standard output%s%s\n", reason ? ": " : "",
            reason ? strerror(reason) : "");
    return code == EXIT_DONE || code == EXIT_EXPECTATION ? EXIT_FAILED : code;
}
