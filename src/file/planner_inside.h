// file/planner_inside.h: what the readers of planners' files share.
#ifndef IB_FILE_PLANNER_INSIDE_H
#define IB_FILE_PLANNER_INSIDE_H

#include "file/planner.h"
#include "file/reader.h"

typedef struct ib__Planner {
    ib_Reader reader; // its arena is given back when the file was read
    const ib_PlannerOptions *options;
    ib_Arena *arena; // of the path
    ib_PlannedPath *path;
} ib__Planner;

// Whose file the tree is, read into the path. Mistakes are in the list.
void ib__choreo_read(ib__Planner *planner, const ib_Node *root);
void ib__pathplanner_read(ib__Planner *planner, const ib_Node *root);

// Were there mistakes in this file so far?
bool ib__planner_failed(const ib__Planner *planner);

// The entry of a map, NULL with a mistake where it is missing or null.
const ib_Node *ib__planner_need(ib__Planner *planner, const ib_Node *map, const char *key,
                                const char *expected);

// The entry of a map, NULL where it is missing or null.
const ib_Node *ib__planner_find(const ib_Node *map, const char *key);

// A map (a list of `least` to `most` items) that is there, or NULL with a mistake.
const ib_Node *ib__planner_map(ib__Planner *planner, const ib_Node *map, const char *key);
const ib_Node *ib__planner_list(ib__Planner *planner, const ib_Node *map, const char *key,
                                int least, int most);

// The same for a list that may be missing: NULL without a mistake then.
const ib_Node *ib__planner_some(ib__Planner *planner, const ib_Node *map, const char *key,
                                int most);

// A number of a map between `least` and `most`; false with a mistake.
bool ib__planner_number(ib__Planner *planner, const ib_Node *map, const char *key, double least,
                        double most, double *value);

// true or false; `value` stays where nothing is written.
void ib__planner_flag(ib__Planner *planner, const ib_Node *map, const char *key, bool *value);

// A text in quotes, in the arena of the path; NULL with a mistake.
const char *ib__planner_text(ib__Planner *planner, const ib_Node *map, const char *key);

#endif
