// plant/air/valve.c: a valve's numbers, checked and prepared.
#include "plant/air/valve.h"

#include <string.h>

const char *const ib_valve_sizes[] = {"C", "Cv", "Kv", "nominal_flow", NULL};

// Instead of C at most one of the others.
ib_Status ib_valve_check(const ib_ValveConfig *config, ib_Error *error)
{
    const double sizes[] = {config->Cv, config->Kv, config->nominal_flow};
    int given = 0;
    if (!(config->laminar > config->b))
        return ib_error_set(
            error, IB_BAD_INPUT,
            "valve.laminar: expected more than valve.b (%g) and less than 1, got %g", config->b,
            config->laminar);
    for (int i = 0; i < 3; i++)
        if (sizes[i] > 0 && given++)
            return ib_error_set(error, IB_BAD_INPUT,
                                "valve.%s: the valve has a size already: expected only one of Cv, "
                                "Kv and nominal_flow",
                                ib_valve_sizes[i + 1]);
    return IB_OK;
}

const char *ib_valve_idle(const ib_ValveConfig *config, const char *key)
{
    const double sizes[] = {config->Cv, config->Kv, config->nominal_flow};
    const char *dot = strrchr(key, '.');
    for (int i = 0; dot && i < 3; i++)
        if (strcmp(dot + 1, ib_valve_sizes[i + 1]) == 0 && sizes[i] == 0) return key;
    return NULL;
}

double ib_valve_conductance(const ib_ValveConfig *config)
{
    double Kv = config->Cv > 0 ? ib_orifice_Kv_of_Cv(config->Cv) : config->Kv;
    if (config->nominal_flow > 0)
        return ib_orifice_C_of_nominal(config->nominal_flow, config->b, config->m);
    return Kv > 0 ? ib_orifice_C_of_Kv(Kv, config->b) : config->C;
}

double ib_valve_series(double C1, double C2)
{
    return 1 / sqrt(1 / (C1 * C1) + 1 / (C2 * C2));
}
