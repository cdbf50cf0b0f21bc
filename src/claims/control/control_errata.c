// claims/control/control_errata.c: mistakes of FRC 971's "Controls Documentation 2018".
#include "claims/control/control.h"

const ib_Erratum ib__control_errata[] = {
    {"dlqr, comment", "P = A'PA - (A'PB)(R + B'PB)^-1 (B'PA + Q, with a parenthesis left open",
     "P = A'PA - (A'PB)(R + B'PB)^-1 (B'PA) + Q",
     "Closed where the line ends, Q is taken off: the residual is 2 Q. The code does not read its "
     "comment; its gain F = (R + B'PB)^-1 B'PA is right.",
     "ironbird verify control"},
    {0},
};
