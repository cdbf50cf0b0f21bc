// base/number_list.h: numbers by name: every parameter of a config by its dotted key, and others.
#ifndef IB_BASE_NUMBER_LIST_H
#define IB_BASE_NUMBER_LIST_H

#include "base/arena.h"
#include "base/schema.h"

typedef struct ib_NumberList {
    ib_Arena *arena;
    int count, capacity;
    const char **names; ///< NULL-terminated; NULL: the list is empty
    double *values;     ///< SI
    bool failed;        ///< out of memory: some are missing
} ib_NumberList;

// Adds a number under a name made of these words, with dots between them; "" is left out.
void ib_number_list_add(ib_NumberList *list, double value, const char *group, const char *part,
                        const char *name);

// Adds every parameter of a config, under `prefix` ("start."): flags as 0 and 1, choices as the
// place of their word in its list, pairs as KEY.0 and KEY.1, tables as KEY.ROW.COLUMN, and items of
// named lists as KEY.ITEM.… Parts that are off, texts and files have no numbers.
void ib_number_list_add_schema(ib_NumberList *list, const ib_Schema *schema, const char *prefix,
                               const void *config);

// The number of this name; NULL: there is none.
const double *ib_number_list_find(const ib_NumberList *list, const char *name);

#endif
