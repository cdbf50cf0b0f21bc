#!/bin/sh
# A type has one meaning: no name is defined by two headers, and all public headers can be used together.
set -eu
cd "$(dirname "$0")/.."
twice=$(git ls-files 'src/*.h' 'include/*.h' | xargs sed -nE 's/^(typedef (struct|enum|union) |\} )(ib_[A-Za-z0-9]+)( \{|;)$/\3/p' | sort | uniq -c |
    awk '$1 > 2 { print $2 }')
[ -z "$twice" ] || { echo "defined more than once: $twice"; exit 1; }
for header in include/ironbird/*.h; do echo "#include \"$header\""; done |
    cc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Iinclude -Isrc -I. -x c -
