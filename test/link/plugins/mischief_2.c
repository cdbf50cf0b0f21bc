// The same mischief by version 2 of the interface.
#define VERSION_2
#include "mischief.c"
