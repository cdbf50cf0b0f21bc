#include "record/struct_layout.h"

#include "base/maths.h"
#include "record/bytes.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// A short description may expand to many fields: the expansion has limits.
enum { MAX_DEPTH = 8, MAX_NAME = 64, MAX_PATH = 200, MAX_VALUES = 1024, MAX_SIZE = 65536 };

// The types of WPILib's geometry, as its own logs describe them.
static const ib_StructText known[] = {
    {"Rotation2d", "double value"},
    {"Translation2d", "double x;double y"},
    {"Pose2d", "Translation2d translation;Rotation2d rotation"},
    {"Transform2d", "Translation2d translation;Rotation2d rotation"},
    {"Twist2d", "double dx;double dy;double dtheta"},
    {"Quaternion", "double w;double x;double y;double z"},
    {"Rotation3d", "Quaternion q"},
    {"Translation3d", "double x;double y;double z"},
    {"Pose3d", "Translation3d translation;Rotation3d rotation"},
    {"Transform3d", "Translation3d translation;Rotation3d rotation"},
    {"ChassisSpeeds", "double vx;double vy;double omega"},
    {"SwerveModuleState", "double speed;Rotation2d angle"},
    {"SwerveModulePosition", "double distance;Rotation2d angle"},
};

// Members with another name here, and the meanings of their numbers. A place is its coordinates, a
// rotation in the plane is its angle.
static const struct {
    const char *of, *member;
    const char *name; ///< "": that of the whole
    const char *unit;
} members[] = {
    {"Rotation2d", "value", "", "rad"},
    {"Rotation3d", "q", "", ""},
    {"Translation2d", "x", "x", "m"},
    {"Translation2d", "y", "y", "m"},
    {"Translation3d", "x", "x", "m"},
    {"Translation3d", "y", "y", "m"},
    {"Translation3d", "z", "z", "m"},
    {"Pose2d", "translation", "", ""},
    {"Pose2d", "rotation", "heading", ""},
    {"Pose3d", "translation", "", ""},
    {"ChassisSpeeds", "vx", "vx", "m/s"},
    {"ChassisSpeeds", "vy", "vy", "m/s"},
    {"ChassisSpeeds", "omega", "omega", "rad/s"},
    {"SwerveModuleState", "speed", "speed", "m/s"},
    {"SwerveModulePosition", "distance", "distance", "m"},
};

static const struct {
    const char *type;
    ib_StructNumber number;
    size_t size;
} numbers[] = {
    {"double", IB_STRUCT_DOUBLE, 8}, {"float64", IB_STRUCT_DOUBLE, 8},
    {"float", IB_STRUCT_FLOAT, 4},   {"float32", IB_STRUCT_FLOAT, 4},
    {"bool", IB_STRUCT_BOOLEAN, 1},  {"int8", IB_STRUCT_INT8, 1},
    {"int16", IB_STRUCT_INT16, 2},   {"int32", IB_STRUCT_INT32, 4},
    {"int64", IB_STRUCT_INT64, 8},   {"uint8", IB_STRUCT_UINT8, 1},
    {"uint16", IB_STRUCT_UINT16, 2}, {"uint32", IB_STRUCT_UINT32, 4},
    {"uint64", IB_STRUCT_UINT64, 8},
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

// An unfinished layout.
typedef struct Draft {
    const ib_StructText *texts;
    int text_count;
    ib_Arena *arena;
    ib_StructField fields[IB_STRUCT_MAX_FIELDS];
    int count;
    int values; ///< numbers and structs so far, <= MAX_VALUES
    size_t size;
} Draft;

// One declaration: "double x[3]".
typedef struct Member {
    char type[MAX_NAME], name[MAX_NAME];
    int length; ///< of an array, 1 .. MAX_SIZE; else 1
    bool array;
} Member;

// ------------------------------------------------------------------------------------ declarations

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at)) at++;
    return at;
}

// Reads a word of letters, digits and underscores; NULL: none, or too long.
static const char *read_word(const char *at, char word[MAX_NAME])
{
    size_t length = 0;
    at = skip_blanks(at);
    for (; isalnum((unsigned char)at[length]) || at[length] == '_'; length++)
        if (length == MAX_NAME - 1) return NULL;
    if (length == 0) return NULL;
    memcpy(word, at, length);
    word[length] = '\0';
    return skip_blanks(at + length);
}

// Reads "[3]"; NULL: no length of an array.
static const char *read_length(const char *at, int *length)
{
    *length = 0;
    for (at = skip_blanks(at + 1); isdigit((unsigned char)*at) && *length < MAX_SIZE; at++)
        *length = 10 * *length + (*at - '0');
    at = skip_blanks(at);
    return *length < 1 || *length > MAX_SIZE || *at != ']' ? NULL : skip_blanks(at + 1);
}

// Reads one declaration, up to its semicolon or the end: type name, type name[3], with the names of
// an enumeration's values in front. NULL: none of these; bit fields are not read.
static const char *read_member(const char *at, Member *member)
{
    *member = (Member){.length = 1};
    at = skip_blanks(at);
    if (strncmp(at, "enum", 4) == 0 && *skip_blanks(at + 4) == '{') at = skip_blanks(at + 4);
    if (*at == '{') {
        at = strchr(at, '}');
        if (!at) return NULL;
        at++;
    }
    at = read_word(at, member->type);
    if (at) at = read_word(at, member->name);
    if (at && *at == '[') {
        member->array = true;
        at = read_length(at, &member->length);
    }
    if (!at || (*at && *at != ';')) return NULL;
    return *at ? at + 1 : at;
}

// ----------------------------------------------------------------------------------------- layouts

static const char *find_text(const Draft *draft, const char *name)
{
    for (int i = draft->text_count - 1; i >= 0; i--)
        if (strcmp(draft->texts[i].name, name) == 0) return draft->texts[i].text;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].text;
    return NULL;
}

static bool add_field(Draft *draft, const char *path, const char *unit, ib_StructNumber number,
                      size_t offset)
{
    if (draft->count == IB_STRUCT_MAX_FIELDS) return false;
    const char *name = ib_arena_text(draft->arena, path);
    draft->fields[draft->count++] =
        (ib_StructField){.name = name, .unit = unit, .number = number, .offset = offset};
    return name != NULL;
}

// "rotation" behind "pose": "pose.rotation"; false: too long.
static bool join(const char *path, const char *name, char joined[MAX_PATH])
{
    size_t length = strlen(path), more = strlen(name);
    if (length + more + 2 > MAX_PATH) return false;
    memcpy(joined, path, length);
    if (length && more) joined[length++] = '.';
    memcpy(joined + length, name, more + 1);
    return true;
}

static bool add_struct(Draft *draft, const char *type, const char *path, int depth);

// Adds one number or struct of this type to the draft.
static bool add_value(Draft *draft, const char *type, const char *path, const char *unit, int depth)
{
    size_t at = draft->size;
    if (++draft->values > MAX_VALUES) return false;
    for (int i = 0; i < NUMBERS; i++)
        if (strcmp(type, numbers[i].type) == 0) {
            draft->size += numbers[i].size;
            return add_field(draft, path, unit, numbers[i].number, at);
        }
    return add_struct(draft, type, path, depth + 1);
}

static bool add_member(Draft *draft, const char *of, const Member *member, const char *path,
                       int depth)
{
    const char *name = member->name, *unit = "";
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(of, members[i].of) == 0 && strcmp(name, members[i].member) == 0) {
            name = members[i].name;
            unit = members[i].unit;
            break;
        }
    char whole[MAX_PATH], item[MAX_PATH], number[16];
    if (!join(path, name, whole)) return false;
    if (strcmp(member->type, "char") == 0) {
        draft->size += (size_t)member->length; // letters are skipped
        return draft->size <= MAX_SIZE;
    }
    for (int i = 0; i < member->length; i++) {
        snprintf(number, sizeof number, "%d", i);
        if (!join(whole, member->array ? number : "", item)) return false;
        if (!add_value(draft, member->type, item, unit, depth)) return false;
    }
    return draft->size <= MAX_SIZE;
}

static bool add_struct(Draft *draft, const char *type, const char *path, int depth)
{
    const char *at = depth < MAX_DEPTH ? find_text(draft, type) : NULL;
    if (!at) return false;
    size_t begin = draft->size;
    Member member;
    while (*(at = skip_blanks(at))) {
        if (*at == ';') {
            at++;
            continue;
        }
        at = read_member(at, &member);
        if (!at || !add_member(draft, type, &member, path, depth)) return false;
    }
    // A pose in space also has the heading that a pose in the plane has.
    char heading[MAX_PATH];
    if (strcmp(type, "Pose3d") != 0 || draft->size - begin != 7 * 8) return true;
    return join(path, "heading", heading) &&
           add_field(draft, heading, "rad", IB_STRUCT_YAW, begin + 3 * 8);
}

// Gives the fields of a pose their roles.
static void give_roles(const char *type, Draft *draft)
{
    static const struct {
        const char *name;
        ib_SignalRole role;
    } roles[] = {{"x", IB_ROLE_POSE_X}, {"y", IB_ROLE_POSE_Y}, {"heading", IB_ROLE_POSE_HEADING}};
    if (strcmp(type, "Pose2d") != 0 && strcmp(type, "Pose3d") != 0) return;
    for (int i = 0; i < draft->count; i++)
        for (int k = 0; k < 3; k++)
            if (strcmp(draft->fields[i].name, roles[k].name) == 0)
                draft->fields[i].role = roles[k].role;
}

const ib_StructLayout *ib_struct_layout(const char *name, const ib_StructText *texts,
                                        int text_count, ib_Arena *arena)
{
    Draft draft = {.texts = texts, .text_count = text_count, .arena = arena};
    if (!add_struct(&draft, name, "", 0) || draft.count == 0) return NULL;
    give_roles(name, &draft);
    ib_StructLayout *layout = ib_arena_alloc(arena, sizeof *layout);
    size_t bytes = (size_t)draft.count * sizeof *draft.fields;
    ib_StructField *fields = ib_arena_alloc(arena, bytes);
    if (!layout || !fields) return NULL;
    memcpy(fields, draft.fields, bytes);
    *layout = (ib_StructLayout){fields, draft.count, draft.size};
    return layout;
}

// ----------------------------------------------------------------------------------------- numbers

static double read_double(const unsigned char *data)
{
    uint64_t word = ib_bytes_word(data, 8);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double read_float(const unsigned char *data)
{
    uint32_t word = (uint32_t)ib_bytes_word(data, 4);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

// The heading of a turn in space, as in WPILib:
//   heading = atan2(2 (w z + x y), 1 - 2 (y^2 + z^2))
// Limit: about the vertical alone, (w, z) = (cos a/2, sin a/2), it is a.
static double read_yaw(const unsigned char *data)
{
    double w = read_double(data), x = read_double(data + 8), y = read_double(data + 16),
           z = read_double(data + 24);
    return ib_atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

double ib_struct_number(const ib_StructField *field, const unsigned char *element)
{
    const unsigned char *data = element + field->offset;
    switch (field->number) {
    case IB_STRUCT_DOUBLE:
        return read_double(data);
    case IB_STRUCT_FLOAT:
        return read_float(data);
    case IB_STRUCT_BOOLEAN:
        return data[0] != 0;
    case IB_STRUCT_INT8:
        return (double)(int8_t)data[0];
    case IB_STRUCT_INT16:
        return (double)(int16_t)ib_bytes_word(data, 2);
    case IB_STRUCT_INT32:
        return (double)(int32_t)ib_bytes_word(data, 4);
    case IB_STRUCT_INT64:
        return (double)(int64_t)ib_bytes_word(data, 8);
    case IB_STRUCT_UINT8:
        return (double)data[0];
    case IB_STRUCT_UINT16:
        return (double)ib_bytes_word(data, 2);
    case IB_STRUCT_UINT32:
        return (double)ib_bytes_word(data, 4);
    case IB_STRUCT_UINT64:
        return (double)ib_bytes_word(data, 8);
    case IB_STRUCT_YAW:
        return read_yaw(data);
    }
    return 0;
}
