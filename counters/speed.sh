#!/usr/bin/env bash
# CPU time of two binaries in interleaved pairs: old, new, old, new …, one thread each.
#
#   counters/speed.sh [-d DEALS] [-w WORKLOAD]… [-c CACHE] OLD NEW [PAIRS]
#
#   DEALS     FreeCell deals 1 to DEALS (16000; the full set is 32000)
#   WORKLOAD  only this one: manhattan, pdb, freecell, samegame or party
#   CACHE     a folder of tables that is kept; without it tables are built anew
#   PAIRS     pairs of runs (5); one pair of all workloads takes some 40 seconds of CPU time
#
# What is compared is user and system time of the whole process: what a change of structure costs is also loading, replaying,
# checking and writing, which the `cpu_s` of the records leaves out. The second ratio is that of the sums of `cpu_s`, the search
# alone: a search that became slower shows more clearly there where loading takes a large share.
#
# Exits with 1 where the binaries generate other boards or give another value, length, solution or node count.
set -eu
export LC_ALL=C

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }

deals=16000 only='' cache=''
while getopts d:w:c: option; do
    case $option in
    d) deals=$OPTARG ;;
    w) only="$only $OPTARG" ;;
    c) cache=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] && [ $# -le 3 ] || usage
old=$1 new=$2 pairs=${3:-5}
case $pairs$deals in *[!0-9]*) usage ;; esac
[ "$pairs" -ge 2 ] || { echo "an interval takes 2 pairs or more" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cache=${cache:-$work/cache}
differ=0
workloads=${only:-manhattan pdb freecell samegame party}

# board FILE ARGUMENT…: boards of `generate`, which both binaries must agree about.
board() {
    local file=$work/$1
    shift
    "$old" generate "$@" >"$file"
    "$new" generate "$@" >"$file.new"
    cmp "$file" "$file.new" || { echo "generate $*: the boards differ" >&2; differ=1; }
}

# The arguments of `solve` for a workload.
arguments() {
    case $1 in
    manhattan) arguments=(tiles --file "$work/manhattan" --solver 'idastar(manhattan)') ;;
    pdb) arguments=(tiles --file "$work/pdb" --solver 'idastar(pdb(7-8))' --cache "$cache") ;;
    freecell) arguments=(freecell --deals "1..$deals" --preset fast) ;;
    samegame) arguments=(samegame --file "$work/samegame" --solver 'spmcts(random, nodes=80k)') ;;
    party) arguments=(party --file "$work/party" --preset default) ;;
    *) usage ;;
    esac
}

prepare() {
    case $1 in
    manhattan) board manhattan tiles --count 6 --seed 1 ;;
    pdb)
        board pdb tiles --count 1400 --seed 1
        "$old" tables build tiles 'pdb(7-8)' --cache "$cache" >/dev/null
        "$new" tables build tiles 'pdb(7-8)' --cache "$cache" >/dev/null
        ;;
    samegame) board samegame samegame --count 4 --seed 3 ;;
    party) board party party world --count 6 --seed 1 ;;
    esac
}

# measure BINARY WORKLOAD NAME: the records to $work/NAME, "process search" in seconds to $work/seconds.
measure() {
    local TIMEFORMAT='%U %S' code=0
    arguments "$2"
    { time "$1" solve "${arguments[@]}" --jobs 1 --seed 1 --format jsonl --output "$work/$3" 2>"$work/messages" || code=$?; } \
        2>"$work/time"
    if [ "$code" -ne 0 ]; then
        echo "$1 solve ${arguments[*]}: exit code $code" >&2
        cat "$work/messages" >&2
        exit 1
    fi
    awk 'FNR == NR { process = $1 + $2; next }
        match($0, /,"cpu_s":[0-9.e-]*/) { search += substr($0, RSTART + 9, RLENGTH - 9) }
        END { print process, search }' "$work/time" "$work/$3" >"$work/seconds"
}

# What records must agree about, one field a line. Quotes within texts are escaped, so that no text is taken for a field.
fields() {
    awk 'BEGIN { n = split("id status value length solution lower_bound initial_h checked expanded generated evaluated reopened", names, " ") }
        { for (i = 1; i <= n; i++) {
            found = match($0, "[{,]\"" names[i] "\":(\"([^\"\\\\]|\\\\.)*\"|[^,}]*)")
            print "record " FNR ": " (found ? substr($0, RSTART + 1, RLENGTH - 1) : names[i] " is missing")
        } }' "$1"
}

for workload in $workloads; do prepare "$workload"; done
for ((pair = 1; pair <= pairs; pair++)); do
    for workload in $workloads; do
        measure "$old" "$workload" old
        seconds=$(cat "$work/seconds")
        measure "$new" "$workload" new
        echo "$workload $seconds $(cat "$work/seconds")" >>"$work/pairs"
        fields "$work/old" >"$work/old.fields"
        fields "$work/new" >"$work/new.fields"
        if ! diff "$work/old.fields" "$work/new.fields" >"$work/difference"; then
            echo "$workload: the records differ (< old, > new)" >&2
            head -n 12 "$work/difference" >&2
            differ=1
        fi
    done
done

# Geometric mean of the ratios and Student's 95 % interval of their logarithms.
awk -v order="$workloads" '
    { n = ++pairs[$1]; for (k = 0; k < 2; k++) { ratio[$1, k, n] = log($(4 + k) / $(2 + k)); old[$1, k] += $(2 + k); new[$1, k] += $(4 + k) } }
    END {
        split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086 2.080 2.074 2.069 2.064 2.060 2.056 2.052 2.048 2.045 2.042", student, " ")
        printf "%-10s %5s  %-8s %10s %10s %8s   %s\n", "workload", "pairs", "CPU time", "old s", "new s", "new/old", "95 % interval"
        m = split(order, names, " ")
        for (i = 1; i <= m; i++) for (k = 0; k < 2; k++) report(names[i], k)
    }
    function report(name, k,    n, j, mean, square, half) {
        n = pairs[name]
        for (j = 1; j <= n; j++) mean += ratio[name, k, j] / n
        for (j = 1; j <= n; j++) square += (ratio[name, k, j] - mean) ^ 2
        half = (n > 31 ? 1.96 + 2.5 / (n - 1) : student[n - 1]) * sqrt(square / (n - 1) / n)
        printf "%-10s %5d  %-8s %10.3f %10.3f %8.4f   %.4f to %.4f\n", name, n, k ? "search" : "process",
            old[name, k] / n, new[name, k] / n, exp(mean), exp(mean - half), exp(mean + half)
    }' "$work/pairs"
exit $differ
