#!/bin/sh
# Trains a network on a GPU that is available only for a limited time. The script tests the GPU, reports
# its memory, and trains in calls of at most ten minutes. Each call resumes where the one before ended.
#
#   scripts/gpu.sh PROGRAM PUZZLE RECIPE RUN [CALLS]
#
# PROGRAM  the program, built with `--features cuda`
# PUZZLE, RECIPE  arguments of `train`
# RUN      folder of the run; the next call resumes from its newest checkpoint, also on another machine
# CALLS    greatest number of calls (default: until the recipe ends)
#
# Environment:
# DEVICE   `cuda` (default), or `cpu` for a dry run on the CPU
# CALL     length of a call (default 9m)
# EXPORT   folder that receives the results after each call: the model, and the run without its older
#          checkpoint, packed and cut into pieces. If the folder RUN does not exist, it is restored from
#          these pieces.
# CUT      size of a piece in bytes (default 15M)
# KEEP     greatest size of an exported run in bytes (default 60M). If the run is larger, only the model
#          is exported; a recipe can begin with it (`start`).
set -eu

if [ $# -lt 4 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
program=$1 puzzle=$2 recipe=$3 run=$4 calls=${5:-1000000}
device=${DEVICE:-cuda} call=${CALL:-9m} export=${EXPORT:-} cut=${CUT:-15M} keep=${KEEP:-60M}

if [ -n "$export" ]; then
    mkdir -p "$export"
    if [ ! -d "$run" ] && ls "$export"/run.tar.* >/dev/null 2>&1; then
        mkdir -p "$run"
        cat "$export"/run.tar.* | tar -xf - -C "$run"
        echo "0. restored the run from $export"
    fi
fi

export_results() {
    [ -n "$export" ] || return 0
    rm -f "$export"/model.* "$export"/run.tar.*
    if [ -f "$run/model.safetensors" ]; then
        split -b "$cut" -d "$run/model.safetensors" "$export/model.safetensors."
    fi
    # A stage has two checkpoints, which are written alternately.
    (cd "$run" && for folder in . stage-*; do
        older=$(ls -t "$folder"/checkpoint-?.json 2>/dev/null | sed -n 2p)
        [ -z "$older" ] || echo "./${older#./}" | sed 's/json$/*/'
    done) >"$export/left-out"
    tar -C "$run" --exclude-from="$export/left-out" -cf "$export/run.tar" .
    rm "$export/left-out"
    if [ -n "$(find "$export/run.tar" -size "-$keep")" ]; then
        split -b "$cut" -d "$export/run.tar" "$export/run.tar."
    else
        echo "   the run is larger than $keep, so that only the model is exported"
    fi
    rm "$export/run.tar"
}

memory() {
    if [ "$device" = cuda ] && command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,memory.used,memory.total,utilization.gpu --format=csv,noheader
    fi
}

echo "1. the device: a network of the 8-puzzle on $device and on the CPU"
memory
board='8 6 7 2 5 4 3 0 1'
for on in "$device" cpu; do
    "$program" solve tiles "$board" --solver 'astar(net(tiles8))' --device "$on" --format jsonl |
        sed 's/.*"value":\([0-9]*\).*"expanded":\([0-9]*\).*/   '"$on"': \1 moves, \2 states expanded/'
done

echo "2. training"
done=0
while [ "$done" -lt "$calls" ]; do
    status=0
    "$program" train "$puzzle" --recipe "$recipe" --run "$run" --device "$device" --solve-device cpu --time "$call" || status=$?
    done=$((done + 1))
    memory
    export_results
    # Exit code 20: the time limit.
    if [ "$status" -ne 20 ]; then
        exit "$status"
    fi
done
echo "run the same command again to resume"
