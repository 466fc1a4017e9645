#!/usr/bin/env python3
"""Prints the tables of docs/scaling.md from measurements of scripts/scaling.sh.

    scripts/scaling.py scripts/scaling.csv [CORES]

CORES is the number of cores on which the runs were measured (default 2): ranks beyond it share them.
The model of a layer of a beam of width W on K ranks, each on a core of its own:

    seconds = c G / K  +  8 v W (K - 1) / (K K rate)  +  r (K)

G    children that the layer generates
c    seconds per child: estimates, selection and the next layer (fitted to runs on one rank)
v    bytes of a state that travels: 46 for the cube, 1.5 times for the candidates beyond the width
rate bits per second that a rank sends
r    seconds of the reductions and of the exchange that carry no states: fitted to the narrowest beam on
     two hosts, as much again for each doubling of the ranks
"""

import csv
import math
import statistics
import sys

TRAVELS = 1.5 * 46
# Networks of clusters: bits per second of a rank, and how the messages' time compares with TCP here.
NETWORKS = [("1 Gbit/s Ethernet", 1e9, 2.0), ("10 Gbit/s Ethernet", 1e10, 1.0), ("100 Gbit/s InfiniBand", 1e11, 0.2)]
RANKS = [1, 4, 16, 64, 256, 1024]


def power(width):
    return f"2^{round(math.log2(width))}" if width else "-"


def count(ranks):
    return "1 rank" if ranks == 1 else f"{ranks:,} ranks"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    cores = int(sys.argv[2]) if len(sys.argv) == 3 else 2
    runs = {}
    for row in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
        key = (row["load"], row["transport"], int(row["ranks"]), int(row["width"]))
        runs.setdefault(key, []).append(row)
    seconds = {key: statistics.median(float(row["seconds"]) for row in rows) for key, rows in runs.items()}
    ranges = {key: [float(row["seconds"]) for row in rows] for key, rows in runs.items()}

    def fact(key, name):
        return int(runs[key][0][name])

    def pair(load, width):
        """The median ratio of one rank to two, of the runs that follow each other."""
        one, two = ranges.get((load, "memory", 1, width)), ranges.get((load, "memory", 2, width))
        return statistics.median(a / b for a, b in zip(one, two)) if one and two else None

    places = sorted({key[1:3] for key in runs})
    print("Measured, median of the runs in seconds (one thread per rank):\n")
    rows = []
    for load, width in sorted({(key[0], key[3]) for key in runs}, key=lambda k: (k[0] != "evolve", k)):
        keys = [(load, transport, ranks, width) for transport, ranks in places]
        ratio = pair(load, width)
        rows.append([load, power(width)] + [f"{seconds[key]:.2f}" if key in seconds else "" for key in keys]
                    + [f"{ratio:.2f}" if ratio else ""])
    named = {"memory": "rank", "tcp": "host"}
    head = [
        f"{ranks} {named.get(transport, 'host')}{'s' * (ranks > 1)}{'' if transport in named else ', ' + transport[4:]}"
        for transport, ranks in places
    ]
    table(["load", "width"] + head + ["1 to 2 ranks, ratio"], rows)

    widths = sorted(key[3] for key in runs if key[:3] == ("beam", "memory", 1))
    # Seconds before the first layer and per layer are in the narrowest beam; the slope is of the children.
    low, high = ("beam", "memory", 1, widths[0]), ("beam", "memory", 1, widths[-1])
    child = (seconds[high] - seconds[low]) / (fact(high, "generated") - fact(low, "generated"))
    layers = fact(low, "layers")
    per_layer = fact(high, "generated") / layers / widths[-1]
    begin = seconds[low] - child * fact(low, "generated")
    apart = "tcp" if ("beam", "tcp", 2, widths[0]) in seconds else "memory"
    two = ("beam", apart, 2, widths[0])
    rounds = max(0.0, (seconds[two] - begin - child * fact(two, "generated") / min(2, cores)) / layers)
    state = (fact(high, "bytes") - fact(low, "bytes")) / (widths[-1] - widths[0])
    print("Fitted:\n")
    table(["term", "value"], [
        ["c, seconds per child", f"{child * 1e6:.2f} µs"],
        ["children of a layer", f"{per_layer:.1f} per state of the width"],
        [f"r(K), per doubling of the ranks ({apart})", f"{rounds * 1e3:.1f} ms"],
        ["start and end of a run", f"{begin:.2f} s"],
        ["memory", f"{state:.0f} bytes per state of the width"],
    ])

    def layer(width, ranks, rate, share):
        compute = child * per_layer * width / ranks
        sent = 8 * TRAVELS * width * (ranks - 1) / ranks / ranks / rate
        return compute, sent, share * rounds * math.log2(ranks)

    print("How well the model calculates what was measured:\n")
    rows = []
    for transport, rate in (("memory", math.inf), ("tcp", math.inf), ("tcp-1gbit", 1e9)):
        for width in widths:
            for ranks in (2, 4):
                key = ("beam", transport, ranks, width)
                if key in seconds:
                    compute, sent, still = layer(width, ranks, rate, 1.0)
                    made = begin + layers * (compute * ranks / min(ranks, cores) + sent + still)
                    rows.append([transport, ranks, power(width), f"{seconds[key]:.2f}", f"{made:.2f}"])
    table(["transport", "ranks", "width", "measured, s", "calculated, s"], rows)

    print("Calculated, seconds of a layer and share of the time that is computation:\n")
    rows = []
    for title, rate, share in NETWORKS:
        for width in (1 << 20, 1 << 25, 1 << 30):
            cells = []
            for ranks in RANKS:
                parts = layer(width, ranks, rate, share)
                total = sum(parts)
                cells.append(f"{total:.3g} ({100 * parts[0] / total:.0f} %)")
            rows.append([title, power(width)] + cells)
    table(["network of a rank", "width"] + [count(ranks) for ranks in RANKS], rows)

    print("Memory of a rank for a beam of 2^30:\n")
    table([count(ranks) for ranks in RANKS], [[f"{state * 2**30 / ranks / 2**30:.3g} GiB" for ranks in RANKS]])


main()
