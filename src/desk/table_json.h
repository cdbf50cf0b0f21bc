// desk/table_json.h: rows and facts of the tables as JSON, for a file and for the page.
//
// Missing parts of a design are null in a file and an empty list for the page, which draws it.
#ifndef IB_DESK_TABLE_JSON_H
#define IB_DESK_TABLE_JSON_H

#include "base/json.h"
#include "desk/design/design_table.h"

void ib_row_json(ib_Json *json, const ib_DesignGear *gear, const ib_DesignRow *row, unsigned told);

// The facts of `of` for this output, as members of the open object.
void ib_facts_json(ib_Json *json, const ib_Fact *table, const void *of, unsigned told);
void ib_fact_json(ib_Json *json, const ib_Fact *fact, const void *of);

// The limits of `check:`: name, gear or unit, limit, found, passed.
void ib_checks_json(ib_Json *json, const ib_DesignFile *design, unsigned told);

// Parts for other writers.
void ib_json_null(ib_Json *json, const char *key);
void ib_json_name(ib_Json *json, const char *key, const char *text); ///< NULL: null
void ib_json_names(ib_Json *json, const char *key, int count, const char *const *texts);
void ib_json_vector(ib_Json *json, const char *key, int count, const double *values);
void ib_json_matrix(ib_Json *json, const char *key, int rows, int columns, const double *a);

#endif
