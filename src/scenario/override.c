#include "scenario/scenario.h"

#include <string.h>

bool ib_override_split(char *text, ib_Override *override)
{
    char *sign = strchr(text, '=');
    if (!sign || sign == text) return false;
    *sign = '\0';
    *override = (ib_Override){.path = text, .yaml = sign + 1};
    return true;
}
