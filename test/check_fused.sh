#!/bin/sh
# No product is fused with a sum: a fused one rounds once, so that its last digit differs from that of a processor, a compiler or a
# level of optimisation that does not fuse. Nothing here does so on purpose. Looks into the object code of x86-64 and ARM.
#   sh test/check_fused.sh BUILD-FOLDER      OBJDUMP: of a build for another machine
set -eu
objects=$1/CMakeFiles
[ -d "$objects/ironbird_core.dir/src" ] || { echo "no object code in $objects"; exit 1; }
files=$(cd "$objects" && find ironbird_core.dir/src ironbird_claims.dir/src -name '*.o' | sort)
[ "$(echo "$files" | wc -l)" -ge 100 ] || { echo "hardly any object code in $objects"; exit 1; }
# Products that are none, as a sign that the code was read: mulsd, vmulpd of x86-64, fmul of ARM.
(cd "$objects" && "${OBJDUMP:-objdump}" -d --no-show-raw-insn $files) | awk '
/file format/ { sub(/^[^/]*\//, "", $1); sub(/\.o:$/, "", $1); file = $1 }
/^[0-9a-f]+ <.*>:$/ { name = $2 }
$2 ~ /^(v?mul[sp]d|fmul)$/ { products++ }
$2 ~ /^(vfn?m(add|sub)|fn?m(add|sub)$|fml[as]$)/ && !(told[file name $2]++) {
    print file " " name " has " $2 ": expected a product and a sum, each rounded"; bad = 1
}
END {
    if (products < 1000) { print "hardly any products in the object code: expected that of x86-64 or ARM"; bad = 1 }
    exit bad
}'
