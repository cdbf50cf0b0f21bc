// cli/cmd_check.c: `ironbird check`: finds mistakes in files of this program, without running them.
#include "cli.h"

#include "check_kinds.h"

static const Option options_table[] = {{.common = COMMON_PLUGINS}, {0}};

int cmd_check(int argc, char **argv)
{
    CommonOptions common = {0};
    Options options = {
        .command = "check",
        .usage = "[--allow-plugins] FILE...",
        .about =
            "Reads files and prints every mistake as file:line:col: what is wrong, and as a "
            "warning\n"
            "what may not be meant as it is written. It knows scenarios, designs (also as JSON),\n"
            "plans, robot files, routines, planners' paths, data files and recordings, tells\n"
            "them apart by what is in them, and says what it took a file for. Exit code 0 when\n"
            "all are right, warnings or not; 2 otherwise.",
        .example = "ironbird check scenarios/*.yaml designs/*.yaml robots/*.yaml",
        .options = options_table,
        .common = &common,
        .argc = argc,
        .argv = argv,
    };
    Options flags = options; // an option counts for all files, wherever it stands
    int files = 0, wrong = 0, item;
    const char *value;
    while ((item = options_next(&flags, &value)) != OPTION_END) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item == OPTION_ERROR) return EXIT_BAD_INPUT;
    }
    while (options_next(&options, &value) == OPTION_ARGUMENT) {
        files++;
        if (!check_file(value, &common.scenario)) wrong++;
    }
    if (files == 0) return bad_usage(&options, "no file was named");
    return wrong ? EXIT_BAD_INPUT : EXIT_DONE;
}
