#include "report/paint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ib_Paint ib_paint_for(FILE *file)
{
    const char *unwanted = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    if ((unwanted && unwanted[0]) || dumb || !isatty(fileno(file)))
        return (ib_Paint){"", "", "", "", ""};
    return (ib_Paint){"\033[1m", "\033[2m", "\033[32m", "\033[1;31m", "\033[0m"};
}
