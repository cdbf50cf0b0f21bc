#!/bin/sh
# Installs the Debian packages named on the command line that are not there yet. Says nothing, and touches
# no network, when all are there. A word "command:package" asks for the package only if the command is
# missing: npm:npm leaves alone an npm that came from elsewhere and that Debian's would conflict with.
set -eu

command -v dpkg-query > /dev/null || {
    echo "ironbird: not a Debian system; please provide what these packages hold: $*" >&2
    exit 0
}
missing=
for word; do
    package=${word#*:}
    case $word in
    *:*) command -v "${word%%:*}" > /dev/null && continue ;;
    # One line for each architecture that has it.
    *) dpkg-query -W -f='${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed && continue ;;
    esac
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    command -v sudo > /dev/null || {
        echo "ironbird: these packages are missing, and only root can install them:$missing" >&2
        exit 1
    }
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null
