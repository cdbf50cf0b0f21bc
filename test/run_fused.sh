#!/bin/sh
# test/check_fused.sh as a job, of a build that could have fused products: sh test/run_fused.sh build/v3
cd "$(dirname "$0")/.." || exit 1
if said=$(sh test/check_fused.sh "$1" 2>&1); then echo "ok no product is fused in $1"; else
    echo "not ok no product is fused in $1"
    echo "$said" | head -n 40 | sed 's/^/    /'
fi
