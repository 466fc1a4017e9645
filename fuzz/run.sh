#!/bin/sh
# Runs a fuzz target: fuzz/run.sh TARGET [SECONDS]. A failing input is left under fuzz/artifacts/.
set -eu
cd "$(dirname "$0")"
target=${1:?usage: fuzz/run.sh TARGET [SECONDS]}
mkdir -p "corpus/$target" artifacts seeds/"$target"
set -- -max_total_time="${2:-60}" -max_len=1024 -timeout=5 -artifact_prefix="artifacts/$target-"
if [ -f "dict/$target.dict" ]; then
    set -- "$@" -dict="dict/$target.dict"
fi
exec cargo run --quiet --release --bin "$target" -- "$@" "corpus/$target" "seeds/$target"
