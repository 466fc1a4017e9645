#!/usr/bin/env bash
# Instructions of two binaries on the same small instances, one thread each: exact where CPU time is noisy.
#
#   counters/instructions.sh [-c CACHE] OLD NEW
#
#   CACHE     a folder of tables that is kept; without it tables are built anew
#
# Needs valgrind, under which a program is some forty times slower: a few minutes. What is counted is the whole process, loading,
# replaying, checking and writing included. What a process does before it reads its first instance is counted by itself, as `start`.
#
# Exits with 1 where the numbers of expanded states differ.
set -eu
export LC_ALL=C

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }

cache=''
while getopts c: option; do
    case $option in
    c) cache=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 2 ] || usage
command -v valgrind >/dev/null || { echo "valgrind is missing" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cache=${cache:-$work/cache}
differ=0

old=$1
"$old" generate tiles --count 1 --seed 1 >"$work/manhattan"
"$old" generate tiles --count 20 --seed 1 >"$work/pdb"
"$old" generate samegame --count 1 --seed 3 >"$work/samegame"
"$old" generate party world --count 2 --seed 1 >"$work/party"
"$old" tables build tiles 'pdb(7-8)' --cache "$cache" >/dev/null

# count BINARY NAME ARGUMENT…: instructions to $work/NAME.
count() {
    local binary=$1 name=$2
    shift 2
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$@" 2>&1 >/dev/null |
        awk '/Collected/ { print $NF }' >"$work/$name"
}

# solve BINARY NAME ARGUMENT…: the same, and the expanded states to $work/NAME.expanded.
solve() {
    local binary=$1 name=$2
    shift 2
    count "$binary" "$name" solve "$@" --jobs 1 --seed 1 --format jsonl --output "$work/$name.records"
    awk 'match($0, /"expanded":[0-9]+/) { sum += substr($0, RSTART + 11, RLENGTH - 11) } END { print sum }' "$work/$name.records" \
        >"$work/$name.expanded"
}

measure() {
    local binary=$1 as=$2
    count "$binary" "start.$as" list puzzles
    solve "$binary" "manhattan.$as" tiles --file "$work/manhattan" --solver 'idastar(manhattan)'
    solve "$binary" "pdb.$as" tiles --file "$work/pdb" --solver 'idastar(pdb(7-8))' --cache "$cache"
    solve "$binary" "freecell.$as" freecell --deals 1..400 --preset fast
    solve "$binary" "samegame.$as" samegame --file "$work/samegame" --solver 'spmcts(random, nodes=3k)'
    solve "$binary" "party.$as" party --file "$work/party" --preset default
}
measure "$1" old &
measure "$2" new
wait $!

printf '%-10s %16s %16s %8s\n' workload old new new/old
for workload in start manhattan pdb freecell samegame party; do
    awk -v name="$workload" 'NR == 1 { old = $1 } NR == 2 { printf "%-10s %16s %16s %8.4f\n", name, old, $1, $1 / old }' \
        "$work/$workload.old" "$work/$workload.new"
    if [ -e "$work/$workload.old.expanded" ] && ! cmp -s "$work/$workload.old.expanded" "$work/$workload.new.expanded"; then
        echo "$workload: the numbers of expanded states differ" >&2
        differ=1
    fi
done
exit $differ
