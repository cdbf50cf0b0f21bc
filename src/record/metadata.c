#include "record/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Words behind the kind of a mode and behind the level of a meaning; the key of a value's meaning.
#define MOTION   " motion"
#define DEAD     " dead"
#define MODE_KEY "mode."

static void put_string(const char *text, ib_Bytes *bytes)
{
    ib_bytes_put_char(bytes, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c < 0x20)
            snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            snprintf(escape, sizeof escape, "%c", c);
        ib_bytes_put_text(bytes, escape);
    }
    ib_bytes_put_char(bytes, '"');
}

// ,"key":"text"
static void put_pair(const char *key, const char *text, ib_Bytes *bytes)
{
    ib_bytes_put_char(bytes, ',');
    put_string(key, bytes);
    ib_bytes_put_char(bytes, ':');
    put_string(text, bytes);
}

// AdvantageScope's words for Ironbird's units, and the singular, which other programs write. It has
// none for forces, torques, pressures, charges and amounts of gas.
static const struct {
    const char *unit, *words, *one;
} unit_words[] = {
    {"m", "meters", "meter"},
    {"rad", "radians", "radian"},
    {"m/s", "meters per second", "meter per second"},
    {"rad/s", "radians per second", "radian per second"},
    {"m/s^2", "meters per second squared", "meter per second squared"},
    {"rad/s^2", "radians per second squared", "radian per second squared"},
    {"s", "seconds", "second"},
    {"Hz", "hertz", "hertz"},
    {"K", "kelvin", "kelvin"},
    {"V", "volts", "volt"},
    {"A", "amps", "amp"},
    {"W", "watts", "watt"},
    {"J", "joules", "joule"},
};
enum { UNIT_WORDS = sizeof unit_words / sizeof unit_words[0] };

// AdvantageScope's words for a unit; NULL: none.
static const char *words_of_unit(const char *unit)
{
    for (size_t i = 0; i < UNIT_WORDS; i++)
        if (strcmp(unit, unit_words[i].unit) == 0) return unit_words[i].words;
    return NULL;
}

// The unit for AdvantageScope's words; any other text is returned unchanged.
static const char *unit_of_words(const char *words)
{
    for (size_t i = 0; i < UNIT_WORDS; i++)
        if (strcasecmp(words, unit_words[i].words) == 0 ||
            strcasecmp(words, unit_words[i].one) == 0)
            return unit_words[i].unit;
    return words;
}

// "mode":"brownout","mode.2":"error dead: brownout: outputs off"
static void put_mode(const ib_Mode *mode, ib_Bytes *bytes)
{
    ib_Bytes text = {0};
    ib_bytes_put_text(&text, ib_mode_kind_name(mode->kind));
    ib_bytes_put(&text, mode->motion ? MOTION : "", mode->motion ? sizeof MOTION : 1);
    if (!text.failed) put_pair("mode", (const char *)text.data, bytes);
    const ib_ModeMeaning *meanings = mode->many ? mode->many : mode->meanings;
    for (int i = 0; i < ib_mode_count(mode) && meanings[i].text && !text.failed; i++) {
        const ib_ModeMeaning *meaning = &meanings[i];
        char key[32];
        snprintf(key, sizeof key, MODE_KEY "%d", i);
        text.count = 0;
        ib_bytes_put_text(&text, ib_mode_level_name(meaning->level));
        ib_bytes_put_text(&text, meaning->dead ? DEAD ": " : ": ");
        ib_bytes_put(&text, meaning->text, strlen(meaning->text) + 1);
        if (!text.failed) put_pair(key, (const char *)text.data, bytes);
    }
    bytes->failed |= text.failed;
    ib_bytes_free(&text);
}

void ib__metadata_put(const char *unit, const char *sentence, const ib_SignalMeaning *means,
                      ib_Bytes *bytes)
{
    ib_bytes_put_text(bytes, "{\"unit\":");
    put_string(unit, bytes);
    const char *words = words_of_unit(unit);
    if (words) put_pair("units", words, bytes);
    put_pair("sentence", sentence, bytes);
    put_pair("role", ib_role_name(means->role), bytes);
    if (means->headline > 0) {
        char rank[2] = {(char)('0' + means->headline), '\0'};
        put_pair("headline", rank, bytes);
    }
    if (means->shown) put_pair("shown", means->shown, bytes);
    if (means->part) put_pair("part", means->part, bytes);
    if (means->robot) put_pair("robot", means->robot, bytes);
    if (means->mode) put_mode(means->mode, bytes);
    ib_bytes_put_char(bytes, '}');
}

// ----------------------------------------------------------------------------------------- reading

// Enough of JSON to find a text by its key: strings are read, all other values are skipped.

typedef struct Cursor {
    const char *at, *end;
} Cursor;

// Four hexadecimal digits, or -1.
static int read_hex(Cursor *cursor)
{
    int code = 0;
    if (cursor->end - cursor->at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        char c = *cursor->at++;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        code = 16 * code + digit;
    }
    return code;
}

static char *put_utf8(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

// \uXXXX, and the second half of a surrogate pair where one follows; a half alone becomes '?'.
static char *read_unicode(Cursor *cursor, char *to)
{
    int code = read_hex(cursor);
    if (code < 0) return NULL;
    bool high = code >= 0xd800 && code < 0xdc00;
    if (high && cursor->end - cursor->at >= 6 && cursor->at[0] == '\\' && cursor->at[1] == 'u') {
        Cursor second = {cursor->at + 2, cursor->end};
        int low = read_hex(&second);
        if (low >= 0xdc00 && low < 0xe000) {
            *cursor = second;
            return put_utf8(to, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
        }
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000)) code = '?';
    return put_utf8(to, code);
}

// Reads a string, its opening quote already passed, into `to`, which is as long as the rest of the
// JSON: no escape gives more bytes than it has. False when it is not closed.
static bool read_string(Cursor *cursor, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    while (to && cursor->at < cursor->end) {
        char c = *cursor->at++;
        if (c == '"') {
            *to = '\0';
            return true;
        }
        if (c != '\\') {
            *to++ = c ? c : '?';
            continue;
        }
        if (cursor->at == cursor->end) return false;
        c = *cursor->at++;
        const char *known = c ? strchr(from, c) : NULL;
        if (c == 'u')
            to = read_unicode(cursor, to);
        else if (known)
            *to++ = into[known - from];
        else
            return false;
    }
    return false;
}

// The next key of the object itself with a text as value, and that text; false at the end. `key`
// and `text` have room for all of the JSON.
static bool next_pair(Cursor *cursor, int *depth, char *key, char *text)
{
    // A string at depth 1 before a colon is a key; the string after that colon is its text.
    bool found = false, colon = false;
    while (cursor->at < cursor->end) {
        char c = *cursor->at++;
        if (c == '"') {
            bool value = *depth == 1 && colon && found;
            if (!read_string(cursor, value || found ? text : key)) return false;
            if (value) return true;
            if (*depth == 1) found = !colon;
        } else if (c == ':') {
            colon = true;
        } else if (c == ',') {
            colon = found = false;
        } else if (c == '{' || c == '[') {
            (*depth)++;
            colon = false;
        } else if (c == '}' || c == ']') {
            (*depth)--;
        }
    }
    return false;
}

// Reads "error dead: brownout: outputs off"; false: not a meaning.
static bool read_meaning(const char *text, ib_Arena *arena, ib_ModeMeaning *meaning)
{
    const char *colon = strstr(text, ": ");
    for (int level = 0; colon && level < IB_MODE_LEVELS; level++) {
        const char *name = ib_mode_level_name((ib_ModeLevel)level);
        size_t length = strlen(name), head = (size_t)(colon - text);
        bool dead = head == length + strlen(DEAD);
        if (strncmp(text, name, length) != 0 || !(dead || head == length)) continue;
        if (dead && strncmp(text + length, DEAD, strlen(DEAD)) != 0) continue;
        *meaning = (ib_ModeMeaning){ib_arena_text(arena, colon + 2), (ib_ModeLevel)level, dead};
        return meaning->text != NULL;
    }
    return false;
}

// Reads "state motion".
static void read_kind(const char *text, ib_Mode *mode)
{
    for (int kind = 0; kind < IB_MODE_KINDS; kind++) {
        const char *name = ib_mode_kind_name((ib_ModeKind)kind);
        size_t length = strlen(name);
        if (strncmp(text, name, length) != 0) continue;
        mode->kind = (ib_ModeKind)kind;
        mode->motion = strcmp(text + length, MOTION) == 0;
    }
}

// A mode while being read: consecutive meanings, perhaps more than its struct holds.
typedef struct ModeRead {
    ib_Mode mode;
    ib_ModeMeaning *more; ///< of the values from IB_MODE_MEANINGS on
    int more_count, more_room;
} ModeRead;

// Meanings count up to the first gap; without any there is no mode.
static bool keep_mode(const ModeRead *read, ib_Arena *arena, ib_SignalMeaning *means)
{
    const ib_Mode *mode = &read->mode;
    if (!mode->meanings[0].text) return true;
    ib_Mode *kept = ib_arena_alloc(arena, sizeof *kept);
    if (!kept) return false;
    *kept = *mode;
    means->mode = kept;
    if (read->more_count == 0 || ib_mode_count(mode) < IB_MODE_MEANINGS) return true;
    size_t front = IB_MODE_MEANINGS, more = (size_t)read->more_count;
    ib_ModeMeaning *all = ib_arena_array(arena, front + more, sizeof *all);
    if (!all) return false;
    memcpy(all, mode->meanings, front * sizeof *all);
    memcpy(all + front, read->more, more * sizeof *all);
    kept->many = all;
    kept->many_count = (int)(front + more);
    return true;
}

// Adds the meaning of a value beyond those in the struct; it must be the next one.
static bool add_meaning(int value, const char *text, ib_Arena *arena, ModeRead *read)
{
    if (value != IB_MODE_MEANINGS + read->more_count) return true;
    if (read->more_count == read->more_room) {
        int room = read->more_room ? 2 * read->more_room : 16;
        ib_ModeMeaning *more = ib_arena_array(arena, (size_t)room, sizeof *more);
        if (!more) return false;
        if (read->more_count) memcpy(more, read->more, (size_t)read->more_count * sizeof *more);
        read->more = more;
        read->more_room = room;
    }
    read->more_count += read_meaning(text, arena, &read->more[read->more_count]);
    return true;
}

// "mode.12": 12; -1: not such a key.
static int value_of_key(const char *key)
{
    size_t length = strlen(MODE_KEY), digits = strspn(key + length, "0123456789");
    bool plain = digits >= 1 && digits <= 4 && key[length + digits] == '\0';
    return plain ? atoi(key + length) : -1;
}

static bool take_pair(const char *key, const char *text, ib_Arena *arena, ModeRead *mode,
                      ib_Metadata *data)
{
    const struct {
        const char *key, **to;
    } texts[] = {
        {"sentence", &data->sentence},
        {"shown", &data->means.shown},
        {"part", &data->means.part},
        {"robot", &data->means.robot},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(key, texts[i].key) == 0)
            return (*texts[i].to = ib_arena_text(arena, text)) != NULL;
    bool unit = strcmp(key, "unit") == 0 || (strcmp(key, "units") == 0 && !data->unit[0]);
    if (unit) return (data->unit = ib_arena_text(arena, unit_of_words(text))) != NULL;
    if (strcmp(key, "role") == 0) {
        data->means.role = ib_role_find(text);
        data->meant = true;
    } else if (strcmp(key, "headline") == 0) {
        bool rank = text[0] >= '1' && text[0] <= '9' && !text[1];
        data->means.headline = rank ? text[0] - '0' : 0;
    } else if (strcmp(key, "mode") == 0) {
        read_kind(text, &mode->mode);
    } else if (strncmp(key, MODE_KEY, strlen(MODE_KEY)) == 0) {
        int value = value_of_key(key);
        if (value >= IB_MODE_MEANINGS) return add_meaning(value, text, arena, mode);
        if (value >= 0) read_meaning(text, arena, &mode->mode.meanings[value]);
    }
    return true;
}

bool ib__metadata_read(const char *json, size_t length, ib_Arena *arena, ib_Metadata *data)
{
    *data = (ib_Metadata){.unit = "", .sentence = ""};
    if (length == 0) return true;
    char *key = malloc(length + 1), *text = malloc(length + 1);
    Cursor cursor = {json, json + length};
    ModeRead mode = {.mode = {.kind = IB_MODE_STATE}};
    int depth = 0;
    bool good = key && text;
    while (good && next_pair(&cursor, &depth, key, text))
        good = take_pair(key, text, arena, &mode, data);
    free(key);
    free(text);
    return good && keep_mode(&mode, arena, &data->means);
}
