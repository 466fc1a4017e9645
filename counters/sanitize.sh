#!/bin/sh
# Tests of the crates with unsafe code under a sanitizer of the compiler.
#
#   counters/sanitize.sh [-s SANITIZER] [-f FILTER] [CRATE...]
#
#   SANITIZER  address (default), leak or thread
#   FILTER     part of the names of the tests that run
#   CRATE      unriddle-tables, unriddle-neural, unriddle-cube (default: these three)
#
# The pinned compiler allows sanitizers only as an unstable option, hence RUSTC_BOOTSTRAP. Linux on x86-64 and arm64. The build has
# a folder of its own below target/. Memory errors end a test with a report, and the script with the code of `cargo test`.
set -eu
cd "$(git rev-parse --show-toplevel)"

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }

sanitizer=address
filter=''
while getopts s:f: option; do
    case $option in
    s) sanitizer=$OPTARG ;;
    f) filter=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
case $sanitizer in
address | leak | thread) ;;
*) usage ;;
esac
[ $# -gt 0 ] || set -- unriddle-tables unriddle-neural unriddle-cube

host=$(rustc -vV | sed -n 's/^host: //p')
packages=''
for crate in "$@"; do packages="$packages -p $crate"; done
# A target of its own keeps the flag away from build scripts and procedural macros.
# shellcheck disable=SC2086
RUSTC_BOOTSTRAP=1 RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=$sanitizer" \
    CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/sanitize" \
    exec cargo test --target "$host" $packages --lib --tests -- $filter
