#!/bin/sh
# Measures how the program scales over processes of MPI: an evolution and beams on 1, 2 and 4 ranks of this
# machine, and beams on hosts that are network namespaces, which exchange messages over TCP. Prints one CSV
# line per run; scripts/scaling.py fits a model to them.
#
#   scripts/scaling.sh PROGRAM > scripts/scaling.csv
#
# PROGRAM  the program, built with `cargo build --release --features mpi`
#
# Every rank has one thread. The machine should have nothing else to do. Namespaces need root, and are left
# out without it. Written for Open MPI 4.
#
# Environment:
# WIDTHS   widths of the beams (default: 2^10 to 2^18)
# LARGEST  width of the beam that is measured on 1 and 2 ranks only (default 2^20)
# REPEATS  runs of each kind (default 3)
# RATE     rate at which a namespace sends in the limited runs (default 1gbit)
set -eu

if [ $# -ne 1 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
case $1 in
/*) program=$1 ;;
*) program=$PWD/$1 ;;
esac
widths=${WIDTHS:-1024 4096 16384 65536 262144} largest=${LARGEST:-1048576} repeats=${REPEATS:-3} rate=${RATE:-1gbit}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
hosts="1 2 3 4" net=10.77.0 name=unriddle-mpi

cleanup() {
    for host in $hosts; do
        ip netns del "$name-$host" || true
    done
    ip link del "$name" || true
    rm -rf "$folder"
} 2>/dev/null
trap cleanup EXIT INT TERM

# Layers of a beam: it ends before it reaches the goal.
layers=12

# Prints a line: load, transport, ranks, width, seconds, states generated, layers, bytes of a rank.
measure() {
    load=$1 transport=$2 ranks=$3 width=$4
    shift 4
    begin=$(date +%s%N)
    # 11, 22: nothing was solved.
    "$@" >"$folder/out" 2>"$folder/err" || [ $? = 11 ] || [ $? = 22 ] || { cat "$folder/err" >&2; exit 1; }
    end=$(date +%s%N)
    field() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$folder/out" | head -n 1; }
    # An evolution has no layers.
    [ "$load" = beam ] && depth=$layers || depth=
    echo "$load,$transport,$ranks,$width,$(((end - begin) / 1000000))e-3,$(field generated),$depth,$(field peak_bytes)"
}

# Runs the program on ranks of this machine.
here() {
    ranks=$1
    shift
    mpirun --oversubscribe --bind-to none -n "$ranks" "$program" "$@"
}

# Runs the program on hosts, one rank on each.
apart() {
    ranks=$1 list=$net.1
    shift
    for host in $(seq 2 "$ranks"); do
        list=$list,$net.$host
    done
    ip netns exec "$name-1" mpirun --bind-to none --mca btl self,tcp --mca plm_rsh_agent "$folder/agent" \
        --mca btl_tcp_if_include "$net.0/24" --mca oob_tcp_if_include "$net.0/24" \
        --host "$list" -n "$ranks" "$program" "$@"
}

beam() {
    solver="beam(net(cube-half, precision=short), width=$1, max_depth=$layers, ties=state)"
    shift
    "$@" solve 'cube(metric=htm)' "R U2 F' L D B2 R' U F2 D' L2 B U' R2 F D2 L' B' U2 R F2 D L U' B2" \
        --together --jobs 1 --format jsonl --solver "$solver"
}

echo "load,transport,ranks,width,seconds,generated,layers,bytes"

# The plain genetic algorithm of GA-FreeCell on 40 deals, with less effort for each.
head -n 41 "$root/data/freecell/training.txt" >"$folder/deals.txt"
sed -e 's|^training.*|training = "deals.txt"|; s/^population = 50/population = 20/; s/^generations.*/generations = 2/' \
    -e 's/^nodes = "800k"/nodes = "400k"/; s/^nodes = "20M"/nodes = "1M"/; s/^finalists.*/finalists = 2/' \
    "$root/recipes/freecell/ga.toml" >"$folder/ga.toml"
for repeat in $(seq "$repeats"); do
    for ranks in 1 2; do
        rm -rf "$folder/run"
        measure evolve memory $ranks 0 \
            here $ranks evolve freecell --recipe "$folder/ga.toml" --run "$folder/run" --jobs 1
    done
done
for repeat in $(seq "$repeats"); do
    for width in $widths $largest; do
        for ranks in 1 2 4; do
            [ "$width" != "$largest" ] || [ $ranks -lt 4 ] || continue
            measure beam memory $ranks "$width" beam "$width" here $ranks
        done
    done
done

if [ "$(id -u)" != 0 ] || ! ip link add "$name" type bridge 2>/dev/null; then
    echo "left out: network namespaces need root and the program ip" >&2
    exit 0
fi
ip link set "$name" up
for host in $hosts; do
    ip netns add "$name-$host"
    ip link add "unr$host" type veth peer name eth0 netns "$name-$host"
    ip link set "unr$host" master "$name" up
    ip netns exec "$name-$host" ip addr add "$net.$host/24" dev eth0
    ip netns exec "$name-$host" ip link set eth0 up
    ip netns exec "$name-$host" ip link set lo up
done
# What mpirun uses for ssh: it starts a command on a host, which has a name of its own.
cat >"$folder/agent" <<AGENT
#!/bin/sh
host=\${1##*.}
shift
exec ip netns exec $name-\$host unshare --uts sh -c "hostname host\$host; exec \$*"
AGENT
chmod +x "$folder/agent"
for limited in no yes; do
    transport=tcp
    if [ $limited = yes ]; then
        transport=tcp-$rate
        for host in $hosts; do
            ip netns exec "$name-$host" tc qdisc add dev eth0 root tbf rate "$rate" burst 1mb latency 100ms
        done
    fi
    for repeat in $(seq "$repeats"); do
        for width in $widths; do
            for ranks in 2 4; do
                measure beam $transport $ranks "$width" beam "$width" apart $ranks
            done
        done
    done
done
