#!/bin/sh
# Runs the unit tests of one build folder; prints "ok NAME" or "not ok NAME" for each test function.
folder=$1
log=$folder/units.log
ctest --test-dir "$folder" -j 2 --output-on-failure --verbose > "$log" 2>&1
status=$?
# cmocka prints "[       OK ] name" and "[  FAILED  ] name" for every function
sed -n 's/^[0-9]*: \[       OK \] /ok /p' "$log"
sed -n 's/^[0-9]*: \[  FAILED  \] \([a-zA-Z_0-9]*\)$/not ok \1/p' "$log" | sort -u
if [ $status -ne 0 ]; then
    grep -E '^[0-9]*: (\[  (ERROR|LINE)|.*(ERROR: |runtime error|SUMMARY))' "$log" | head -n 60
    # a program that died has no line of its own for the function in which it did
    sed -n 's/^[[:space:]]*[0-9]* - \([a-z_/0-9]*\) (\(.*\))$/not ok \1: \2/p' "$log"
fi
exit $status
