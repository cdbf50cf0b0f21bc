// file/planner_inside.h: functions shared by the readers of planners' files.
#ifndef IB_FILE_PLANNER_INSIDE_H
#define IB_FILE_PLANNER_INSIDE_H

#include "file/planner.h"
#include "file/reader.h"

typedef struct ib__Planner {
    ib_Reader reader; // its arena is freed after reading
    const ib_PlannerOptions *options;
    ib_Arena *arena; // of the path
    ib_PlannedPath *path;
} ib__Planner;

// Read the tree of Choreo's or PathPlanner's file into the path. Mistakes are in the list.
void ib__choreo_read(ib__Planner *planner, const ib_Node *root);
void ib__pathplanner_read(ib__Planner *planner, const ib_Node *root);

// True if this file had mistakes so far.
bool ib__planner_failed(const ib__Planner *planner);

// The entry of a map, NULL with a mistake if it is missing or null.
const ib_Node *ib__planner_need(ib__Planner *planner, const ib_Node *map, const char *key,
                                const char *expected);

// The entry of a map, NULL if it is missing or null.
const ib_Node *ib__planner_find(const ib_Node *map, const char *key);

// The entry as a map (a list of `least` to `most` items), or NULL with a mistake.
const ib_Node *ib__planner_map(ib__Planner *planner, const ib_Node *map, const char *key);
const ib_Node *ib__planner_list(ib__Planner *planner, const ib_Node *map, const char *key,
                                int least, int most);

// The same for a list that may be missing: NULL without a mistake then.
const ib_Node *ib__planner_some(ib__Planner *planner, const ib_Node *map, const char *key,
                                int most);

// A number of a map between `least` and `most`; false with a mistake.
bool ib__planner_number(ib__Planner *planner, const ib_Node *map, const char *key, double least,
                        double most, double *value);

// Reads true or false; `value` stays if nothing is written.
void ib__planner_flag(ib__Planner *planner, const ib_Node *map, const char *key, bool *value);

// A text in quotes, in the arena of the path; NULL with a mistake.
const char *ib__planner_text(ib__Planner *planner, const ib_Node *map, const char *key);

#endif
