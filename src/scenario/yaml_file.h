// scenario/yaml_file.h: reads a file of this program from its name to its result.
//
// Scenarios, design files and plan files are read alike. The tree is loaded and must be a map, the
// options change it, the kind of the file makes the result, with the warnings; on mistakes it is
// discarded. Only the use of the keys differs.
#ifndef IB_SCENARIO_YAML_FILE_H
#define IB_SCENARIO_YAML_FILE_H

#include "base/json.h"
#include "file/reader.h"

// The common part of every file's result: its first member.
typedef struct ib_YamlFile {
    const char *file;              ///< its name
    const char *title;             ///< of the file itself, else its name without the folder
    const char *const *files;      ///< all that were read: `file`, then others; NULL-terminated
    const ib_Diagnostic *warnings; ///< possible misunderstandings, sorted by place
    int warning_count;
    bool drawn;     ///< a value was drawn at random: another seed makes another one
    ib_Arena arena; ///< owns all of it, and the result of the file
} ib_YamlFile;

struct ib_ScenarioOptions;

// One kind of file.
typedef struct ib_YamlFileKind {
    size_t size;             ///< of the result, which begins with an ib_YamlFile [bytes]
    const char *const *keys; ///< at the top, NULL-terminated
    const char *expected;    ///< "a map with keys such as robot and run"
    bool again; ///< it may be read again with the same list, which has its warnings already
    // Makes something of the tree. `options` is not NULL. Mistakes are named at their places.
    void (*read)(ib_Reader *reader, ib_Node *root, const struct ib_ScenarioOptions *options,
                 void *made);
    void (*release)(void *made); ///< frees the result's memory outside of its arena; NULL: none
} ib_YamlFileKind;

// Reads the file, or `length` bytes of `text` with `file` as their name if `text` is not NULL. On
// mistakes returns NULL with all of them in `diagnostics`, sorted by place.
void *ib_yaml_file_read(const ib_YamlFileKind *kind, const char *file, const char *text,
                        size_t length, const struct ib_ScenarioOptions *options,
                        ib_Diagnostics *diagnostics);

// Its warnings with their places, as the list "warnings".
void ib_yaml_file_warnings_json(const ib_YamlFile *file, ib_Json *json);

void ib_yaml_file_destroy(const ib_YamlFileKind *kind, void *made);

#endif
