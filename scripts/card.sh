#!/bin/sh
# Trains a network on a graphics card that is lent for a while: tests the card, measures its rate and memory, and trains in calls of at
# most ten minutes, each of which goes on where the one before ended.
#
#   scripts/card.sh PROGRAM PUZZLE RECIPE RUN [CALLS]
#
# PROGRAM is built with `--features cuda`; PUZZLE and RECIPE are those of `train`; RUN is the run's folder, whose newest checkpoint the next
# call goes on with, on another machine too. CALLS is how many calls are made (default: until the recipe ends). DEVICE=cpu does the
# same on the processor: a dry run. CALL is the length of a call (default 9m).
set -eu

if [ $# -lt 4 ]; then
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
program=$1 puzzle=$2 recipe=$3 run=$4 calls=${5:-1000000}
device=${DEVICE:-cuda} call=${CALL:-9m}

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
    # 20: the time was up.
    if [ "$status" -ne 20 ]; then
        exit "$status"
    fi
done
echo "the same command goes on"
