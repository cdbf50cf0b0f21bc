#include "mutate.h"

#include <string.h>

typedef struct File {
    char *text;
    size_t length;
    uint64_t random; // the state of splitmix64
} File;

static uint64_t next(File *file)
{
    uint64_t z = file->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// From 0 to below `limit`; 0 where that is 0.
static size_t below(File *file, size_t limit)
{
    return limit ? (size_t)(next(file) % limit) : 0;
}

// Puts `count` bytes in the place of `gone` of them, as far as there is room.
static void replace(File *file, size_t at, size_t gone, const char *bytes, size_t count)
{
    if (file->length - gone + count > IB_MUTATED_MOST) return;
    memmove(file->text + at + count, file->text + at + gone, file->length - at - gone);
    if (count) memcpy(file->text + at, bytes, count);
    file->length += count - gone;
}

static void flip_bits(File *file)
{
    for (size_t i = 0, count = 1 + below(file, 4); i < count && file->length; i++) {
        size_t at = below(file, file->length);
        file->text[at] = (char)(file->text[at] ^ (1 << below(file, 8)));
    }
}

static void other_byte(File *file)
{
    if (file->length) file->text[below(file, file->length)] = (char)below(file, 256);
}

static void cut(File *file)
{
    file->length = below(file, file->length + 1);
}

// A piece of the file: from *at on, at most a quarter of it and 4 KiB.
static size_t choose_chunk(File *file, size_t *at)
{
    enum { LONGEST = 4096 };
    size_t most = file->length / 4 < LONGEST ? file->length / 4 : LONGEST;
    size_t count = 1 + below(file, most);
    *at = below(file, file->length);
    return count < file->length - *at ? count : file->length - *at;
}

static void drop_chunk(File *file)
{
    size_t at, count = choose_chunk(file, &at);
    replace(file, at, count, NULL, 0);
}

static void double_chunk(File *file)
{
    char copy[4096];
    size_t at, count = choose_chunk(file, &at);
    memcpy(copy, file->text + at, count);
    replace(file, below(file, file->length + 1), 0, copy, count);
}

// Numbers that no robot has, in the place of one that is there.
static void other_number(File *file)
{
    static const char *const numbers[] = {
        "1e308", "-1e308", "0",        "-0",         "nan",
        "inf",   "1e-320", "-1",       "1e9",        "1e-9",
        "1e17",  "0.1",    "99999999", "2147483648", "-9223372036854775808",
        "1e999", "1",      "1e6",      "7",          "0x7fffffff",
        "0.5",   "2",      "100",      "0.001",      "1e-5",
        "10"};
    static const char digits[] = "0123456789.";
    size_t start = below(file, file->length), at = start;
    while (at < file->length && !memchr(digits, file->text[at], sizeof digits - 1)) at++;
    if (at == file->length) return;
    size_t end = at;
    while (end < file->length && memchr(digits, file->text[end], sizeof digits - 1)) end++;
    const char *number = numbers[below(file, sizeof numbers / sizeof numbers[0])];
    replace(file, at, end - at, number, strlen(number));
}

// Of one kind each, up to 64 KiB.
static void long_run(File *file)
{
    static const char kinds[] = " \n\t\r#-[{:,'\"0a%\\|";
    static char run[1 << 16];
    size_t count = (size_t)1 << below(file, 17);
    memset(run, kinds[below(file, sizeof kinds - 1)], count);
    replace(file, below(file, file->length + 1), 0, run, count);
}

static size_t line_start(const File *file, size_t at)
{
    while (at > 0 && file->text[at - 1] != '\n') at--;
    return at;
}

static size_t line_end(const File *file, size_t at)
{
    while (at < file->length && file->text[at] != '\n') at++;
    return at < file->length ? at + 1 : at;
}

// Moves a line to the place of another one.
static void move_line(File *file)
{
    char line[2048];
    size_t from = line_start(file, below(file, file->length)), end = line_end(file, from);
    if (end - from > sizeof line) return;
    size_t count = end - from;
    memcpy(line, file->text + from, count);
    replace(file, from, count, NULL, 0);
    replace(file, line_start(file, below(file, file->length)), 0, line, count);
}

// Puts a word of the file in the place of another one: keys of other maps, other units.
static void other_word(File *file)
{
    static const char ends[] = " \n,:{}[]\"'";
    char words[2][64];
    size_t at[2], count[2];
    for (int i = 0; i < 2; i++) {
        at[i] = below(file, file->length);
        while (at[i] > 0 && !memchr(ends, file->text[at[i] - 1], sizeof ends - 1)) at[i]--;
        for (count[i] = 0; count[i] < sizeof words[i] && at[i] + count[i] < file->length;
             count[i]++)
            if (memchr(ends, file->text[at[i] + count[i]], sizeof ends - 1)) break;
        memcpy(words[i], file->text + at[i], count[i]);
    }
    replace(file, at[1], count[1], words[0], count[0]);
}

size_t ib_mutate(uint64_t seed, char *text, size_t length)
{
    // Numbers and words, which leave a file readable, come more often: they get farther.
    static void (*const ways[])(File *) = {
        other_number, other_number, other_number, other_number, other_number, other_number,
        other_number, other_number, other_word,   other_word,   move_line,    flip_bits,
        other_byte,   cut,          drop_chunk,   double_chunk, long_run};
    File file = {text, length, seed};
    // So does every other file, with one mutation alone.
    size_t count = below(&file, 2) ? 1 : 1 + below(&file, 4);
    for (size_t i = 0; i < count; i++)
        if (file.length) ways[below(&file, sizeof ways / sizeof ways[0])](&file);
    return file.length;
}
