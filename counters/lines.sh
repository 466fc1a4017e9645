#!/bin/sh
# Lines of production code of each crate: lines of crates/**/src/**/*.rs that are neither blank nor comment nor test.
#
#   counters/lines.sh                  the working tree
#   counters/lines.sh REV              one revision
#   counters/lines.sh REV REV          two revisions and their difference
#   LIST=1 counters/lines.sh [REV]     every file with its lines
#
# Left out: items behind `#[cfg(test)]` (modules in files of their own, too), `tests.rs`, and the folders tests, benches and examples.
# A crate is the folder of the nearest Cargo.toml above a file, so that counts go on when crates move. An item behind
# `#[cfg(test)]` ends where its indentation closes: the code is as rustfmt leaves it.
set -eu
cd "$(git rev-parse --show-toplevel)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Lines of the files under the folder $1, as "crate<TAB>file<TAB>lines".
count() (
    cd "$1"
    find crates -name Cargo.toml | sed 's|/Cargo.toml$||' >"$work/crates"
    find crates -path '*/src/*' -name '*.rs' ! -name tests.rs ! -path '*/tests/*' ! -path '*/benches/*' ! -path '*/examples/*' |
        LC_ALL=C sort | LC_ALL=C awk -v list="$work/crates" '
        BEGIN { while ((getline folder < list) > 0) crates[folder] = 1 }
        { files[++many] = $0; lines[$0] = read_file($0) }
        # Modules behind `#[cfg(test)]` are found while files are read: they are taken out at the end.
        END {
            for (i = 1; i <= many; i++) {
                file = files[i]
                crate = file
                while (!(crate in crates) && sub(/\/[^\/]*$/, "", crate)) continue
                if (!is_test(file)) printf "%s\t%s\t%d\n", substr(crate, 8), file, lines[file]
            }
        }
        function is_test(file,    part) {
            for (part = file; part ~ /\//; sub(/\/[^\/]*$/, "", part)) if (part in of_tests) return 1
            return 0
        }
        function read_file(file,    line, text, sum, block, skip, indent, folder) {
            while ((getline line < file) > 0) {
                text = line
                gsub(/^[ \t]+|[ \t\r]+$/, "", text)
                if (block) {
                    if (!index(text, "*/")) continue
                    text = substr(text, index(text, "*/") + 2)
                    block = 0
                }
                if (text ~ /^\/\*/) {
                    if (index(text, "*/")) text = substr(text, index(text, "*/") + 2)
                    else { block = 1; continue }
                }
                # 1: the first line of a test item is awaited, 2: its end.
                if (skip == 2) { if (index(line, indent "}") == 1 || index(line, indent ")") == 1) skip = 0; continue }
                if (text == "" || text ~ /^\/\//) continue
                if (skip == 1) {
                    if (text ~ /^#!?\[/) continue
                    if (text ~ /^(pub(\([a-z]*\))? )?mod [a-z_0-9]+;$/) {
                        folder = file
                        if (!sub(/\/(mod|lib|main)\.rs$/, "", folder)) sub(/\.rs$/, "", folder)
                        gsub(/^.*mod |;$/, "", text)
                        of_tests[folder "/" text ".rs"] = of_tests[folder "/" text] = 1
                    }
                    skip = text ~ /[;,}]$/ ? 0 : 2
                    continue
                }
                if (text ~ /^#\[cfg\((all\()?test[,)]/) {
                    indent = line
                    sub(/#.*/, "", indent)
                    skip = 1
                    continue
                }
                sum++
            }
            close(file)
            return sum + 0
        }'
)

column=0
for revision in "${@:-}"; do
    column=$((column + 1))
    folder=.
    if [ -n "$revision" ]; then
        folder=$work/$column
        mkdir "$folder"
        git archive --output "$work/tar" "$revision" crates
        tar -xf "$work/tar" -C "$folder"
    fi
    count "$folder" >"$work/count-$column"
    if [ -n "${LIST:-}" ]; then
        awk -F '\t' '{ printf "%8d  %s\n", $3, $2 }' "$work/count-$column"
    fi
    sed "s/^/$column	/" "$work/count-$column" >>"$work/counts"
done

awk -F '\t' -v first="${1:-working tree}" -v second="${2:-}" '
    { sum[$1, $2] += $4; sum[$1, "in all"] += $4; if (!($2 in seen)) { seen[$2] = 1; crates[++n] = $2 } }
    END {
        for (i = 1; i <= n; i++) for (j = i; j > 1 && crates[j] < crates[j - 1]; j--) {
            swap = crates[j]; crates[j] = crates[j - 1]; crates[j - 1] = swap
        }
        row("crate", first, second, "difference")
        for (i = 1; i <= n; i++) crate(crates[i])
        crate("in all")
    }
    function crate(name) { row(name, sum[1, name] + 0, sum[2, name] + 0, sprintf("%+d", sum[2, name] - sum[1, name])) }
    function row(name, a, b, difference) {
        if (second == "") printf "%-24s %12s\n", name, a
        else printf "%-24s %12s %12s %12s\n", name, a, b, difference
    }' "$work/counts"
