#!/usr/bin/env bash
# Writes the page with its engine as static files, which any web server can host:
#
#   web/export.sh DIR
#
# It needs cargo with the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`).
# If WASM_OPT names the program wasm-opt of Binaryen, the module becomes a tenth smaller.
# The folder DIR gets the page, the module, and the networks, which are loaded when a solver reads them.
# The module also goes to web/package, for the npm package.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -ne 1 ]; then
    echo "usage: web/export.sh DIR" >&2
    exit 2
fi
mkdir -p "$1/networks"
dir=$(cd "$1" && pwd)

cargo rustc --locked --profile web --target wasm32-unknown-unknown -p unriddle-web --crate-type cdylib
module=${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/web/unriddle_web.wasm
if [ -n "${WASM_OPT:-}" ]; then
    "$WASM_OPT" -O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-mutable-globals --enable-reference-types --enable-multivalue \
        "$module" -o "$dir/engine.wasm"
else
    cp "$module" "$dir/engine.wasm"
fi
cp "$dir/engine.wasm" web/package/unriddle.wasm

cp crates/studio/page/* "$dir"
# The page runs the engine in a worker.
sed -i.old 's/name="unriddle-engine" content="[a-z]*"/name="unriddle-engine" content="worker"/' \
    "$dir/index.html"
rm "$dir/index.html.old"
grep -q 'content="worker"' "$dir/index.html"

# The networks that are part of the program, compressed.
for network in crates/puzzles/*/models/*; do
    case $network in
        *.gz) cp "$network" "$dir/networks/" ;;
        *) gzip -9 -n -c "$network" > "$dir/networks/$(basename "$network").gz" ;;
    esac
done
echo "written: $dir ($(du -sh "$dir" | cut -f1))"
