#!/bin/sh
# Trains a network on a graphics card that is lent for a while: tests the card, measures its rate and memory, and trains in calls of at
# most ten minutes, each of which goes on where the one before ended.
#
#   scripts/gpu.sh PROGRAM PUZZLE RECIPE RUN [CALLS]
#
# PROGRAM is built with `--features cuda`; PUZZLE and RECIPE are those of `train`; RUN is the run's folder, whose newest checkpoint the next
# call goes on with, on another machine too. CALLS is how many calls are made (default: until the recipe ends). DEVICE=cpu does the
# same on the processor: a dry run. CALL is the length of a call (default 9m).
#
# After each call EXPORT, a folder if it is given, holds what is to be brought home: the model and the run without its older
# checkpoint, packed and cut into pieces of CUT bytes (default 15M). A run whose folder is not there begins with these pieces. A run of more
# than KEEP bytes (default 60M) is left out: then the model alone is there, for a recipe that begins with it (`start`).
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
        echo "0. the run of before, from $export"
    fi
fi

bring_home() {
    [ -n "$export" ] || return 0
    rm -f "$export"/model.* "$export"/run.tar.*
    if [ -f "$run/model.safetensors" ]; then
        split -b "$cut" -d "$run/model.safetensors" "$export/model.safetensors."
    fi
    # Two checkpoints of a stage take turns.
    (cd "$run" && for folder in . stage-*; do
        older=$(ls -t "$folder"/checkpoint-?.json 2>/dev/null | sed -n 2p)
        [ -z "$older" ] || echo "./${older#./}" | sed 's/json$/*/'
    done) >"$export/left-out"
    tar -C "$run" --exclude-from="$export/left-out" -cf "$export/run.tar" .
    rm "$export/left-out"
    if [ -n "$(find "$export/run.tar" -size "-$keep")" ]; then
        split -b "$cut" -d "$export/run.tar" "$export/run.tar."
    else
        echo "   the run is larger than $keep: the model alone is exported"
    fi
    rm "$export/run.tar"
}

memory() {
    if [ "$device" = cuda ] && command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,memory.used,memory.total,utilization.gpu --format=csv,noheader
    fi
}

echo "1. the device: a network of the 8-puzzle there and on the processor"
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
    bring_home
    # 20: the time was up.
    if [ "$status" -ne 20 ]; then
        exit "$status"
    fi
done
echo "the same command goes on"
