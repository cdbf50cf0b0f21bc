// Fuzz target: any bytes as a quantity. It must be read or refused, and what is read is finite.
#include "base/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';

    ib_Error error;
    ib_Quantity quantity;
    double value;
    if (ib_quantity_read(text, &quantity, &error) == IB_OK)
        IB_ASSERT(isfinite(quantity.value));
    else
        IB_ASSERT(error.status == IB_BAD_INPUT && strlen(error.text) > 0);

    // A text that is a level of something is a difference of it as well.
    static const char *const units[] = {"Pa", "K", "kg", "1", "N*m/rad"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (ib_units_read(text, units[i], &value, &error) == IB_OK)
            IB_ASSERT(ib_units_read_difference(text, units[i], &value, &error) == IB_OK);
    free(text);
    return 0;
}
