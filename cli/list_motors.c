// cli/list_motors.c: the constants of all motors, as their data sheets have them and as a robot
// takes them.
#include "list_motors.h"

#include "base/units.h"
#include "plant/electric/motor.h"

#include <stdio.h>

// False where an entry is no data sheet.
static bool read_sheet(const ib_Node *entry, ib_MotorConfig *sheet)
{
    const struct {
        const char *key, *unit;
        double *value;
    } numbers[] = {{"voltage", "V", &sheet->voltage},
                   {"stall_torque", "N*m", &sheet->stall_torque},
                   {"stall_current", "A", &sheet->stall_current},
                   {"free_speed", "rad/s", &sheet->free_speed},
                   {"free_current", "A", &sheet->free_current}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const ib_Node *node = ib_node_get(entry, numbers[i].key);
        if (!node || ib_units_read(node->text, numbers[i].unit, numbers[i].value, NULL) != IB_OK)
            return false;
    }
    return true;
}

static void print_motor(const ib_Node *entry, int name_width)
{
    ib_MotorConfig sheet = {.torque_constant = IB_TORQUE_DATA_SHEET};
    ib_MotorModel printed, taken;
    if (!read_sheet(entry, &sheet)) return;
    ib_motor_init(&sheet, IB_LOSS_NONE, &printed);
    sheet.torque_constant = IB_TORQUE_BALANCED;
    ib_motor_init(&sheet, IB_LOSS_NONE, &taken);
    printf("%-*s %9.4g %12.4g %10.4g %7.3f  %10.4g %12.4g%s\n", name_width, entry->key, printed.R,
           printed.Ke, printed.Kt, printed.Kt / printed.Ke, taken.Kt,
           taken.Kt * sheet.stall_current, taken.Kt < printed.Kt ? "  balanced" : "");
}

void list_motor_constants(const ib_Node *root, int name_width)
{
    printf(
        "\nConstants by both readings (docs/plant/motor.md). The data sheet, from its source "
        "above:\n"
        "R = V/Is, Ke = (V - If R)/wf, Kt = Ts/Is. Kt above Ke would make energy, so that robots\n"
        "take Kt = Ke there, from the free point; 'torque_constant: data_sheet' takes the "
        "sheet's.\n\n"
        "%-*s %s\n%-*s %9s %12s %10s %7s  %10s %12s\n%-*s %9s %12s %10s %7s  %10s %12s\n",
        name_width, "", "data sheet                                  taken", name_width, "name",
        "R", "Ke", "Kt", "Kt/Ke", "Kt", "stall torque", name_width, "", "[ohm]", "[V*s/rad]",
        "[N*m/A]", "", "[N*m/A]", "[N*m]");
    for (const ib_Node *entry = root->first; entry; entry = entry->next)
        print_motor(entry, name_width);
}
