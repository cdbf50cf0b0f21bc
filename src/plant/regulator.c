// plant/regulator.c: a regulator's numbers, checked.
#include "plant/regulator.h"

#include "plant/gas.h"

#include <math.h>

ib_RegulatorConfig ib_regulator_default(void)
{
    return (ib_RegulatorConfig){.setting = IB_ATMOSPHERE + 60 * IB_POUND_PER_SQUARE_INCH,
                                .conductance = INFINITY};
}

ib_Status ib_regulator_check(const ib_RegulatorConfig *config, ib_Error *error)
{
    if (!(config->setting >= IB_ATMOSPHERE))
        return ib_error_set(error, IB_BAD_INPUT,
                            "regulator: expected one atmosphere (0 psig) or more, got %g Pa",
                            config->setting);
    return IB_OK;
}
