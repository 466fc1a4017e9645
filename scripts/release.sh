#!/bin/sh
# Writes all files of a release: an archive, a Debian package, the list of components (SBOM) and checksums.
#
#   scripts/release.sh [-b PROGRAM] [-t TARGET] [-o FOLDER] [-f FEATURES]
#
#   PROGRAM   built program; without it the script builds one with `cargo build --release`
#   TARGET    platform of the program, such as x86_64-unknown-linux-gnu (default: that of this computer)
#   FOLDER    folder that receives the files (default: target/release-files)
#   FEATURES  features of the crate `unriddle` beside its defaults, such as train
#
# DEBFULLNAME and DEBEMAIL name the maintainer of the Debian package.
#
# The program must run on this computer: it writes its manual and its completions. The Debian package is
# left out where dpkg-deb is missing, and the list of components where cargo-cyclonedx is missing; the
# script reports both. Archives of equal contents are equal: times are that of the last commit.
set -eu
cd "$(dirname "$0")/.."

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0" >&2; exit 2; }

target=$(rustc -vV | sed -n 's/^host: //p')
built=${CARGO_TARGET_DIR:-target}
output=$built/release-files
program='' features='' cross=''
while getopts b:t:o:f: option; do
    case $option in
    b) program=$OPTARG ;;
    t) target=$OPTARG cross=yes ;;
    o) output=$OPTARG ;;
    f) features=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || usage

if [ -z "$program" ]; then
    program=$built/${cross:+$target/}release/unriddle
    cargo build --release --locked -p unriddle --bin unriddle ${features:+--features "$features"} \
        ${cross:+--target "$target"}
fi

# The package of the sources must be that of the program.
version=$(cargo pkgid --locked -p unriddle | sed 's/.*[#@]//')
shown=$("$program" --version)
case $shown in
"unriddle $version ("*) ;;
*) echo "release.sh: $program is \"$shown\", the sources have version $version" >&2; exit 1 ;;
esac
revision=$(git rev-parse HEAD)
case $shown in
*"$revision;"* | *"$revision)"*) ;;
*) echo "warning: $program is \"$shown\", the sources have revision $revision" >&2 ;;
esac

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"
output=$(cd "$output" && pwd)
name=unriddle-$version-$target
rm -f "$output/$name".* "$output"/unriddle_*.deb

# Licences of all crates inside the program: each text once, below the names of its crates.
licences() {
    registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
    mkdir "$work/texts"
    cargo tree --locked -p unriddle --edges normal --target "$target" ${features:+--features "$features"} \
        --prefix none --format '{p}|{l}' | sed 's/ (proc-macro)//;s/ (\*)//' | sort -u |
        grep -v '^unriddle' >"$work/crates"
    while IFS='|' read -r crate licence; do
        sources=$(echo "$registry"/*/"$(echo "$crate" | sed 's/ v/-/')")
        [ -d "$sources" ] || { echo "release.sh: the sources of $crate are missing" >&2; exit 1; }
        printf '%s, %s\n' "$crate" "$licence" >>"$work/list"
        for file in "$sources"/[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]* "$sources"/UNLICENSE* \
            "$sources"/COPY* "$sources"/NOTICE*; do
            [ -f "$file" ] || continue
            hash=$(sha256sum <"$file" | cut -c1-64)
            echo "$crate" >>"$work/texts/$hash.crates"
            cp "$file" "$work/texts/$hash.text"
        done
    done <"$work/crates"
    echo "Crates of other authors inside the program, with their licences:"
    echo
    cat "$work/list"
    for names in "$work/texts"/*.crates; do
        printf '\n%s\n' "--------------------------------------------------------------------------------"
        paste -s -d, "$names" | sed 's/,/, /g' | fold -s -w 80
        echo
        cat "${names%.crates}.text"
    done
}

folder=$work/$name
mkdir -p "$folder/completions"
cp "$program" "$folder/unriddle"
# Symbols are a quarter of the program; a panic names its place without them.
if command -v strip >/dev/null; then strip "$folder/unriddle" || true; fi
"$program" manual --folder "$folder/man"
"$program" completions bash >"$folder/completions/unriddle.bash"
"$program" completions elvish >"$folder/completions/unriddle.elv"
"$program" completions fish >"$folder/completions/unriddle.fish"
"$program" completions powershell >"$folder/completions/_unriddle.ps1"
"$program" completions zsh >"$folder/completions/_unriddle"
cp README.md CHANGELOG.md CITATION.cff LICENSE-MIT LICENSE-APACHE "$folder"
licences >"$folder/THIRD-PARTY.txt"
find "$folder" -type f -exec chmod 644 {} +
find "$folder" -type d -exec chmod 755 {} +
chmod 755 "$folder/unriddle"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf - "$name" |
    gzip -9n >"$output/$name.tar.gz"

if cargo cyclonedx --version >/dev/null 2>&1; then
    # The program writes one file beside the manifest of each crate; only the first is of the whole program.
    sbom=$name.cdx
    ended=0
    cargo cyclonedx --quiet --format json --spec-version 1.5 --manifest-path crates/unriddle/Cargo.toml --target "$target" \
        ${features:+--features "$features"} --no-build-deps --override-filename "$sbom" || ended=$?
    # Paths of this computer become paths in the repository.
    [ "$ended" != 0 ] || sed "s|file://$PWD/|file:///|g" "crates/unriddle/$sbom.json" >"$output/$sbom.json"
    find crates -name "$sbom.json" -delete
    [ "$ended" = 0 ] || exit "$ended"
else
    echo "skipped: the list of components; \`cargo install cargo-cyclonedx\` makes it" >&2
fi

# The Debian package, with the newest C library that the program asks for.
debian() {
    case $target in
    x86_64-*-linux-gnu) architecture=amd64 ;;
    aarch64-*-linux-gnu) architecture=arm64 ;;
    *) echo "skipped: no Debian package for $target" >&2; return 0 ;;
    esac
    if ! command -v dpkg-deb >/dev/null; then
        echo "skipped: the Debian package needs dpkg-deb" >&2
        return 0
    fi
    libc=$(grep -aoE 'GLIBC_2\.[0-9]+' "$folder/unriddle" | sort -Vu | tail -n 1 | sed 's/GLIBC_//')
    # A pre-release comes before its release.
    debian_version=$(echo "$version" | sed 's/-/~/')-1
    root=$work/debian
    share=$root/usr/share
    mkdir -p "$root/DEBIAN" "$root/usr/bin" "$share/man/man1" "$share/doc/unriddle" \
        "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
    cp "$folder/unriddle" "$root/usr/bin/unriddle"
    for page in "$folder"/man/*.1; do
        gzip -9n <"$page" >"$share/man/man1/${page##*/}.gz"
    done
    cp "$folder/completions/unriddle.bash" "$share/bash-completion/completions/unriddle"
    cp "$folder/completions/_unriddle" "$share/zsh/vendor-completions/_unriddle"
    cp "$folder/completions/unriddle.fish" "$share/fish/vendor_completions.d/unriddle.fish"
    cp CITATION.cff README.md "$share/doc/unriddle"
    gzip -9n <CHANGELOG.md >"$share/doc/unriddle/changelog.gz"
    gzip -9n <"$folder/THIRD-PARTY.txt" >"$share/doc/unriddle/THIRD-PARTY.txt.gz"
    {
        echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
        printf '\nFiles: *\nCopyright: %s\nLicense: MIT or Apache-2.0\n' \
            "$(sed -n 's/^Copyright (c) //p' LICENSE-MIT)"
        printf ' On Debian systems the licence Apache-2.0 is /usr/share/common-licenses/Apache-2.0.\n'
        printf ' Crates of other authors have the licences in THIRD-PARTY.txt.gz. The licence MIT:\n .\n'
        sed 's/^$/./;s/^/ /' LICENSE-MIT
    } >"$share/doc/unriddle/copyright"
    find "$root" -type f -exec chmod 644 {} +
    find "$root" -type d -exec chmod 755 {} +
    chmod 755 "$root/usr/bin/unriddle"
    cat >"$root/DEBIAN/control" <<END
Package: unriddle
Version: $debian_version
Architecture: $architecture
Section: games
Priority: optional
Maintainer: ${DEBFULLNAME:-The authors of unriddle} <${DEBEMAIL:-unriddle@localhost}>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= $libc), libgcc-s1
Description: solver of single-player puzzles
 Solves sliding tiles, Rubik's cube, Sokoban, FreeCell, SameGame, Lights Out
 and other puzzles, with proofs where possible, and checks every solution.
END
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$output/unriddle_${debian_version}_$architecture.deb" >/dev/null
}
debian

cd "$output"
for file in "$name.tar.gz" "$name.cdx.json" unriddle_*.deb; do
    [ -f "$file" ] && echo "$file"
done | xargs sha256sum >"$name.sha256"
echo "written: $output"
cat "$name.sha256"
