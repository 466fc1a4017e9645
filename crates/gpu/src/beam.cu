// The GPU program of the bidirectional beam.
//
// The host defines before it: CELLS; WORDS (words of 4 cells); VALUES; ACTIONS; GROUPS; UNITS
// (units of the first layer, a multiple of 256); ZERO (start of the sums of the first layer);
// SECOND and THIRD (units of the dense layers, multiples of 8); and SLOPE_1, SLOPE_2, SLOPE_3
// (factors of negative sums).
//
// A node has CELLS bytes in WORDS words, and the last actions of its state and of the inverse in
// two bytes. The child `id` of a layer is a successor of the node id / (2 ACTIONS) by the action id
// % ACTIONS, applied to the inverse of the node if id % (2 ACTIONS) is not below ACTIONS.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SIDES (2 * ACTIONS)
#define DEAD 65535
// Weights of the second layer are multiplied by SCALE, because steps of the first layer are small.
#define SCALE 1024.0f
#define NONE 255
#define TILE 32
#define PITCH (UNITS / 2 + 4)
#define TAIL (SECOND + THIRD * (SECOND + 1) + 2 * THIRD + 1)

// Transition tables: hash keys of values and of the corresponding values of the inverse, sources of
// the indices of the network's input, cells and values of inverses, values after actions, and the
// action that undoes each action. The host writes them in this order (`packing.rs`).
struct Tables {
    u64 hashes[2][CELLS * VALUES];
    int sources[GROUPS][4];
    u16 inverse[CELLS * VALUES];
    u8 moved[ACTIONS * CELLS * VALUES];
    u8 undo[ACTIONS];
};

struct Node {
    u8 cells[CELLS];
};

__device__ inline void load(Node &node, const u32 *words) {
#pragma unroll
    for (int i = 0; i < CELLS; i++) node.cells[i] = words[i / 4] >> (8 * (i % 4));
}

__device__ inline void store(const Node &node, u32 *words) {
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        u32 word = 0;
#pragma unroll
        for (int i = 4 * w; i < 4 * w + 4 && i < CELLS; i++) word |= (u32)node.cells[i] << (8 * (i % 4));
        words[w] = word;
    }
}

__device__ inline void invert(const Tables *tables, const Node &node, Node &inverse) {
    for (int i = 0; i < CELLS; i++) {
        u16 fact = tables->inverse[i * VALUES + node.cells[i]];
        inverse.cells[fact >> 8] = fact & 255;
    }
}

__device__ inline void move(const Tables *tables, Node &node, int action) {
    for (int i = 0; i < CELLS; i++) node.cells[i] = tables->moved[(action * CELLS + i) * VALUES + node.cells[i]];
}

__device__ inline u64 hash(const Tables *tables, const Node &node, int of_inverse) {
    u64 sum = 0;
    for (int i = 0; i < CELLS; i++) sum += tables->hashes[of_inverse][i * VALUES + node.cells[i]];
    return sum ? sum : 1;
}

// Numbers of the rows of first-layer weights of a state.
__device__ inline void rows_of(const Tables *tables, const Node &node, const Node &inverse, u16 *rows) {
    for (int g = 0; g < GROUPS; g++) {
        const int *source = tables->sources[g];
        int x = source[0], y = source[1];
        u32 row = x < CELLS ? node.cells[x] : inverse.cells[x - CELLS];
        if (y >= 0) row = row * VALUES + (y < CELLS ? node.cells[y] : inverse.cells[y - CELLS]);
        rows[g] = source[2] + row;
    }
}

// Code of an estimate from 1/16 to 4096 in 16 bits. Codes have the order of the estimates, and a
// relative precision of 1/4096.
__device__ inline u16 coded(float estimate) {
    float within = estimate > 0.0625f ? estimate : 0.0625f;
    within = within < 4095.0f ? within : 4095.0f;
    u32 code = (__float_as_uint(within) - 0x3d800000u) >> 11;
    return code < DEAD ? code : DEAD - 1;
}

__device__ inline float decoded(u16 code) {
    return __uint_as_float(0x3d800000u + ((u32)code << 11));
}

// Makes a child of a node: its cells, and its last actions. Returns false if the action undoes the
// last one.
__device__ inline bool child_of(const Tables *tables, const u32 *nodes, const u16 *lasts, u32 id, Node &child, u16 &last) {
    u32 parent = id / SIDES, rest = id % SIDES;
    int side = rest / ACTIONS, action = rest % ACTIONS;
    u16 both = lasts[parent];
    u8 before = side ? both >> 8 : both & 255, other = side ? both & 255 : both >> 8;
    Node node;
    load(node, nodes + (u64)parent * WORDS);
    if (side) invert(tables, node, child);
    else child = node;
    move(tables, child, action);
    last = action | (u16)other << 8;
    return before == NONE || tables->undo[before] != action;
}

extern "C" __global__ void children(const Tables *tables, const u32 *nodes, const u16 *lasts, u32 from, u32 count, u16 *rows) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    Node child, inverse;
    u16 last;
    u16 *own = rows + (u64)i * GROUPS;
    if (!child_of(tables, nodes, lasts, from + i, child, last)) {
        own[0] = DEAD;
        return;
    }
    invert(tables, child, inverse);
    rows_of(tables, child, inverse, own);
}

// Bytes of a row that a lane reads at a time. Four bytes become two words of two 16-bit numbers.
#if UNITS % 512 == 0
#define PART 512
typedef uint4 Bytes;
#else
#define PART 256
typedef uint2 Bytes;
#endif
#define LANE (PART / 128)

// Two sums minus their start ZERO, in half precision.
__device__ inline u32 halves(u32 sums) {
    u32 both;
    short low = (short)((sums & 65535) - ZERO), high = (short)((sums >> 16) - ZERO);
    asm("{ .reg .f16 low, high; cvt.rn.f16.s16 low, %1; cvt.rn.f16.s16 high, %2; mov.b32 %0, {low, high}; }" : "=r"(both) : "h"(low), "h"(high));
    return both;
}

// Greater of x and slope * x, for both halves.
__device__ inline u32 leaky2(u32 a, float slope) {
    u32 least, most;
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(slope));
    u32 both = half | (u32)half << 16;
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(both));
    asm("max.f16x2 %0, %1, %2;" : "=r"(most) : "r"(a), "r"(least));
    return most;
}

__device__ inline float leaky(float a, float slope) {
    float least = a * slope;
    return a > least ? a : least;
}

// Estimates of rows: sums of bytes in the first layer, half precision on tensor cores in the second
// layer, f32 in the rest. With `adds`, each code is the sum of the estimate and of the estimate
// coded in `add`. The second and third byte of four units of a row are exchanged, so that the even
// bytes belong to two neighbours.
extern "C" __global__ void __launch_bounds__(256) estimate(const u16 *rows, u32 count, const Bytes *first, const u32 *bias, const u32 *second,
                                                           const float *tail, const u16 *add, u32 adds, u16 *codes) {
    extern __shared__ uint4 memory[];
    u32 *a = (u32 *)memory;
    u32 *b = a + TILE * PITCH;
    float *mid = (float *)(b + SECOND * PITCH);
    float *t = mid + TILE * (SECOND + 1);
    u16 *r = (u16 *)(t + TAIL);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, four = lane % 4;
    for (int i = threadIdx.x; i < SECOND * UNITS / 2; i += 256) b[i / (UNITS / 2) * PITCH + i % (UNITS / 2)] = second[i];
    for (int i = threadIdx.x; i < TAIL; i += 256) t[i] = tail[i];
    for (u32 tile = blockIdx.x; (u64)tile * TILE < count; tile += gridDim.x) {
        u64 begin = (u64)tile * TILE;
        __syncthreads();
        for (int i = threadIdx.x; i < TILE * GROUPS; i += 256) {
            u64 at = begin * GROUPS + i;
            r[i] = at < (u64)count * GROUPS ? rows[at] : DEAD;
        }
        __syncthreads();
        for (int k = warp; k < TILE; k += 8) {
            const u16 *row = r + k * GROUPS;
            bool is_dead = row[0] == DEAD;
#pragma unroll
            for (int p = 0; p < UNITS / PART; p++) {
                u32 sums[2 * LANE];
                const u32 *begin = bias + p * (PART / 2) + lane * (2 * LANE);
#pragma unroll
                for (int i = 0; i < 2 * LANE; i++) sums[i] = begin[i];
                if (!is_dead) {
#pragma unroll
                    for (int g = 0; g < GROUPS; g++) {
                        Bytes v = first[(u32)row[g] * (UNITS / (4 * LANE)) + 32 * p + lane];
                        const u32 *words = (const u32 *)&v;
#pragma unroll
                        for (int i = 0; i < LANE; i++) {
                            sums[2 * i] += __byte_perm(words[i], 0, 0x4240);
                            sums[2 * i + 1] += __byte_perm(words[i], 0, 0x4341);
                        }
                    }
                }
                u32 *to = a + k * PITCH + p * (PART / 2) + lane * (2 * LANE);
#pragma unroll
                for (int i = 0; i < 2 * LANE; i += 4)
                    *(uint4 *)(to + i) = make_uint4(leaky2(halves(sums[i]), SLOPE_1), leaky2(halves(sums[i + 1]), SLOPE_1),
                                                    leaky2(halves(sums[i + 2]), SLOPE_1), leaky2(halves(sums[i + 3]), SLOPE_1));
            }
        }
        __syncthreads();
        for (int u = warp; u < TILE / 16 * (SECOND / 8); u += 8) {
            int m = 16 * (u / (SECOND / 8)), n = 8 * (u % (SECOND / 8));
            float c[4] = {0, 0, 0, 0};
            const u32 *pa = a + (m + group) * PITCH + four, *pb = b + (n + group) * PITCH + four;
#pragma unroll 8
            for (int k = 0; k < UNITS / 16; k++, pa += 8, pb += 8)
                asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                    : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                    : "r"(pa[0]), "r"(pa[8 * PITCH]), "r"(pa[4]), "r"(pa[8 * PITCH + 4]), "r"(pb[0]), "r"(pb[4]));
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int x = m + group + 8 * (i / 2), y = n + 2 * four + i % 2;
                mid[x * (SECOND + 1) + y] = leaky(c[i] / SCALE + t[y], SLOPE_2);
            }
        }
        __syncthreads();
        // Eight threads per row.
        const int x = threadIdx.x / 8, part = threadIdx.x % 8;
        const float *third = t + SECOND, *of = mid + x * (SECOND + 1);
        const float *bias_3 = third + THIRD * (SECOND + 1), *out = bias_3 + THIRD;
        float sum = 0;
        for (int j = part; j < THIRD; j += 8) {
            float inner = bias_3[j];
#pragma unroll 8
            for (int i = 0; i < SECOND; i++) inner += of[i] * third[j * (SECOND + 1) + i];
            sum += leaky(inner, SLOPE_3) * out[j];
        }
        for (int far = 4; far > 0; far /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, far);
        u64 at = begin + x;
        if (part == 0 && at < count) {
            float estimate = sum + out[THIRD];
            estimate = estimate > 0 ? estimate : 0;
            if (adds) estimate += decoded(add[at]);
            codes[at] = r[x * GROUPS] == DEAD ? DEAD : coded(estimate);
        }
    }
}

// Histogram of the codes by their upper twelve bits.
extern "C" __global__ void coarse(const u16 *codes, u32 count, u32 *counts) {
    __shared__ u32 own[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (u64 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        if (codes[i] != DEAD) atomicAdd(own + codes[i] / 16, 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        if (own[i]) atomicAdd(counts + i, own[i]);
}

// Histogram of the codes with the given upper twelve bits, by the lower four bits.
extern "C" __global__ void fine(const u16 *codes, u32 count, u32 upper, u32 *counts) {
    __shared__ u32 own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (u64 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        if (codes[i] / 16 == upper && codes[i] != DEAD) atomicAdd(own + codes[i] % 16, 1);
    __syncthreads();
    if (threadIdx.x < 16 && own[threadIdx.x]) atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}

#define EACH 16
#define BLOCK (256 * EACH)

// For each block of 4096 codes, the number of codes up to a limit.
extern "C" __global__ void tally(const u16 *codes, u32 count, u32 limit, u32 *counts) {
    __shared__ u32 all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    u64 from = (u64)blockIdx.x * BLOCK + threadIdx.x * EACH;
    u32 own = 0;
    for (int i = 0; i < EACH; i++) own += from + i < count && codes[from + i] <= limit;
    atomicAdd(&all, own);
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

__device__ inline u32 inclusive(u32 value) {
    for (int far = 1; far < 32; far *= 2) {
        u32 other = __shfl_up_sync(0xffffffffu, value, far);
        if (threadIdx.x % 32 >= far) value += other;
    }
    return value;
}

// Prefix sums of the counts of blocks, by one block of 1024 threads. The last element is the total.
extern "C" __global__ void scan(u32 *counts, u32 blocks) {
    __shared__ u32 sums[32];
    u32 before = 0;
    for (u32 from = 0; from < blocks; from += 1024) {
        u32 i = from + threadIdx.x, own = i < blocks ? counts[i] : 0, to = inclusive(own);
        if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = to;
        __syncthreads();
        if (threadIdx.x < 32) sums[threadIdx.x] = inclusive(sums[threadIdx.x]);
        __syncthreads();
        u32 warps = threadIdx.x < 32 ? 0 : sums[threadIdx.x / 32 - 1];
        if (i < blocks) counts[i] = before + warps + to - own;
        before += sums[31];
        __syncthreads();
    }
    if (threadIdx.x == 0) counts[blocks] = before;
}

// Indices of the codes up to a limit, in ascending order, at most `most`.
extern "C" __global__ void gather(const u16 *codes, u32 count, u32 limit, const u32 *begins, u32 most, u32 *out) {
    __shared__ u32 sums[8];
    u64 from = (u64)blockIdx.x * BLOCK + threadIdx.x * EACH;
    u32 own = 0;
    for (int i = 0; i < EACH; i++) own += from + i < count && codes[from + i] <= limit;
    u32 to = inclusive(own), at = begins[blockIdx.x] + to - own;
    if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = to;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; w++) at += sums[w];
    for (int i = 0; i < EACH; i++)
        if (from + i < count && codes[from + i] <= limit) {
            if (at < most) out[at] = from + i;
            at++;
        }
}

// Makes the states of candidates. A node stores the state or its inverse, whichever has the smaller
// hash. Each candidate enters a hash table with its code and index. Among equal states the least
// code remains, and among equal codes the least index.
extern "C" __global__ void make(const Tables *tables, const u32 *nodes, const u16 *lasts, const u32 *ids, u32 count, const u16 *child_codes,
                                u32 *cells, u16 *new_lasts, u64 *hashes, u8 *flags, u16 *codes, u64 *slots, u64 *first, u64 mask, u32 *slot_of) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u32 id = ids[i];
    Node child, inverse;
    u16 last;
    child_of(tables, nodes, lasts, id, child, last);
    u64 own = hash(tables, child, 0), other = hash(tables, child, 1);
    bool is_inverted = other < own;
    if (is_inverted) {
        invert(tables, child, inverse);
        child = inverse;
        own = other;
        last = last >> 8 | last << 8;
    }
    store(child, cells + (u64)i * WORDS);
    new_lasts[i] = last;
    hashes[i] = own;
    flags[i] = is_inverted;
    u16 code = child_codes[id];
    codes[i] = code;
    u64 entry = ~((u64)code << 32 | i);
    for (u64 slot = own & mask;; slot = (slot + 1) & mask) {
        u64 found = atomicCAS(slots + slot, 0, own);
        if (found == 0 || found == own) {
            atomicMax(first + slot, entry);
            slot_of[i] = slot;
            return;
        }
    }
}

// Drops candidates that have an equal state with a smaller code, or that an earlier layer kept.
extern "C" __global__ void judge(u32 count, const u64 *hashes, const u64 *first, const u32 *slot_of, const u64 *seen, u64 mask, u16 *codes) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    bool is_alive = (u32)~first[slot_of[i]] == i;
    u64 own = hashes[i];
    for (u64 slot = own & mask; is_alive && seen[slot]; slot = (slot + 1) & mask) is_alive = seen[slot] != own;
    if (!is_alive) codes[i] = DEAD;
}

// Rows of the inverses of the estimated states, and the codes to which their estimates are added.
extern "C" __global__ void others(const Tables *tables, const u32 *list, u32 from, u32 count, const u32 *cells, const u8 *flags, const u16 *codes,
                                  u16 *rows, u16 *add) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u32 at = list[from + i];
    Node node, inverse;
    load(node, cells + (u64)at * WORDS);
    invert(tables, node, inverse);
    add[i] = codes[at];
    if (flags[at]) rows_of(tables, node, inverse, rows + (u64)i * GROUPS);
    else rows_of(tables, inverse, node, rows + (u64)i * GROUPS);
}

extern "C" __global__ void pick(const u32 *list, u32 count, const u16 *codes, u16 *out) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = codes[list[i]];
}

// Entry of the goal table: a hash whose low five bits are replaced by the distance plus 1.
#define LOW 31ull

__device__ inline int near_distance(const u64 *near, u64 mask, u64 own) {
    for (u64 slot = own >> 5 & mask; near[slot]; slot = (slot + 1) & mask)
        if ((near[slot] & ~LOW) == (own & ~LOW)) return (int)(near[slot] & LOW) - 1;
    return -1;
}

// Nodes of the next layer: the candidates `list[chosen[i]]`. `found` receives the least distance of
// a node in the goal table, and the number of the node.
extern "C" __global__ void keep(const u32 *list, const u32 *chosen, u32 count, const u32 *cells, const u16 *lasts, const u64 *hashes, const u32 *ids,
                                u32 *new_cells, u16 *new_lasts, u32 *new_ids, u64 *seen, u64 seen_mask, const u64 *near, u64 near_mask,
                                u64 *found) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u32 at = list[chosen[i]];
    for (int w = 0; w < WORDS; w++) new_cells[(u64)i * WORDS + w] = cells[(u64)at * WORDS + w];
    new_lasts[i] = lasts[at];
    new_ids[i] = ids[at];
    u64 own = hashes[at];
    for (u64 slot = own & seen_mask;; slot = (slot + 1) & seen_mask) {
        u64 before = atomicCAS(seen + slot, 0, own);
        if (before == 0 || before == own) break;
    }
    int distance = near_distance(near, near_mask, own);
    if (distance >= 0) atomicMin(found, (u64)distance << 32 | i);
}

// Goal-table distance of one state plus 1, or 0. Optionally enters the state into a set.
extern "C" __global__ void probe(const Tables *tables, const u32 *cells, u64 *seen, u64 seen_mask, u32 enters, const u64 *near, u64 near_mask,
                                 u64 *out) {
    Node node;
    load(node, cells);
    u64 own = hash(tables, node, 0), other = hash(tables, node, 1);
    if (other < own) own = other;
    out[0] = near_distance(near, near_mask, own) + 1;
    if (!enters) return;
    u64 slot = own & seen_mask;
    while (seen[slot] && seen[slot] != own) slot = (slot + 1) & seen_mask;
    seen[slot] = own;
}

// Enters all children of the states at a distance into the goal table, and lists the new ones, at
// most `most`.
extern "C" __global__ void spread(const Tables *tables, const u32 *nodes, u32 from, u32 count, u32 distance, u64 *near, u64 mask, u32 *out, u32 most,
                                  u32 *found) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 id = (u64)from * SIDES + i;
    u32 parent = id / SIDES, rest = id % SIDES;
    Node node, child;
    load(node, nodes + (u64)parent * WORDS);
    if (rest >= ACTIONS) invert(tables, node, child);
    else child = node;
    move(tables, child, rest % ACTIONS);
    u64 own = hash(tables, child, 0), other = hash(tables, child, 1);
    if (other < own) own = other;
    u64 entry = (own & ~LOW) | (distance + 1);
    for (u64 slot = own >> 5 & mask;; slot = (slot + 1) & mask) {
        u64 before = atomicCAS(near + slot, 0, entry);
        if (before == 0) {
            u32 place = atomicAdd(found, 1);
            if (place < most) store(child, out + (u64)place * WORDS);
            return;
        }
        if ((before & ~LOW) == (entry & ~LOW)) return;
    }
}
