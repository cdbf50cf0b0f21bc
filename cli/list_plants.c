#include "list_plants.h"

#include "cli.h"
#include "list_schema.h"

#include "scenario/scenario.h"

#include <string.h>

enum { NAME = 24, UNIT = 10 };

int list_plants(void)
{
    int width = 0;
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        width = list_wider(width, ib_mechanism_kinds[i]->name);
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        printf("%-*s %s\n", width, ib_mechanism_kinds[i]->name, ib_mechanism_kinds[i]->sentence);
    printf("\n'ironbird list plant KIND' prints the parameters of one. A design file "
           "(docs/design/design.md) "
           "takes\nthem under plant:, or matrices A, B, C, D, or a robot. Derivations: "
           "docs/design/mechanism.md\n");
    return EXIT_DONE;
}

static const char *unit_of(const char *unit)
{
    return strcmp(unit, "1") != 0 ? unit : "";
}

static void print_ports(const char *what, int count, const ib_MechanismPort *ports)
{
    printf("\n%s\n", what);
    for (int i = 0; i < count; i++)
        printf("  %-*s %-*s %s\n", NAME, ports[i].name, UNIT, unit_of(ports[i].unit),
               ports[i].sentence);
}

static void print_inputs(const ib_MechanismPorts *ports)
{
    printf("\ninputs\n");
    for (int i = 0; i < ports->inputs; i++) {
        const ib_MechanismPort *input = &ports->input[i];
        const char *unit = unit_of(input->unit);
        printf("  %-*s %-*s %s; %g %s to %g %s\n", NAME, input->name, UNIT, unit, input->sentence,
               ports->low[i], unit, ports->high[i], unit);
    }
}

static void print_facts(const ib_Mechanism *mechanism)
{
    ib_MechanismFacts facts;
    ib_mechanism_facts(mechanism, &facts);
    printf("\nwhat it comes to\n");
    for (int i = 0; i < facts.count; i++) {
        const ib_MechanismFact *fact = &facts.items[i];
        const char *unit = unit_of(fact->unit);
        char value[64];
        snprintf(value, sizeof value, "%.6g%s%s", fact->value, unit[0] ? " " : "", unit);
        printf("  %-*s %s: %s\n", NAME, fact->name, value, fact->sentence);
    }
}

int list_plant_ports(const ib_MechanismKind *kind)
{
    ib_MechanismMemory config = {0};
    ib_Mechanism mechanism;
    ib_Error error;
    ib_Status status = ib_read_defaults(&kind->params, &config, &error);
    if (status == IB_OK) status = ib_mechanism_init(kind, &config, &mechanism, &error);
    if (status != IB_OK) {
        ib_tell(stderr, "ironbird list: %s: %s\n", kind->name, error.text);
        return EXIT_FAILED;
    }
    printf("\nwith the default parameters:\n");
    print_ports("states", mechanism.ports.states, mechanism.ports.state);
    print_inputs(&mechanism.ports);
    print_ports("outputs, what is measured", mechanism.ports.outputs, mechanism.ports.output);
    print_facts(&mechanism);
    return EXIT_DONE;
}
