#!/bin/sh
# What is simulated or designed calls no function of the mathematical library whose last digit differs from machine to
# machine: base/maths.h has them, and sqrt, fma and fabs are exact everywhere. Looks into the object code; for fmax and fmin,
# which are an instruction on ARM, into the sources.
#   sh test/check_maths.sh BUILD-FOLDER
set -eu
objects=$1/CMakeFiles/ironbird_core.dir/src
[ -d "$objects" ] || { echo "no object code in $objects"; exit 1; }
files=$(cd "$objects" && find base linear solver plant sensor control world robot sim design scenario -name '*.o')
[ "$(echo "$files" | wc -l)" -ge 100 ] || { echo "hardly any object code in $objects"; exit 1; }
if grep -rnE '\<(fmax|fmin)\(' src cli --include='*.[ch]'; then
    echo "of two zeros fmax and fmin give either: expected ib_max and ib_min of base/extreme.h"
    exit 1
fi
(cd "$objects" && nm -A -u $files) | awk '
$NF ~ /^(sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma)f?$/ {
    sub(/\.o:.*/, "", $1); print "src/" $1 " calls " $NF ": expected what base/maths.h has"; bad = 1
}
END { exit bad }'
