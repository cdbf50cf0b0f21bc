// cli/list_data.h: tables of the data files.
#ifndef IB_CLI_LIST_DATA_H
#define IB_CLI_LIST_DATA_H

#include <stdbool.h>

// The entries of the data file of this name, or the files of the folder of this name;
// false: there is neither.
bool list_data(const char *name);

// All that list_data knows, with the number of entries of each.
void list_data_names(void);

// The same names for a message, NULL-terminated.
enum { DATA_NAMES = 64 };
void data_names(const char *names[DATA_NAMES + 1]);

#endif
