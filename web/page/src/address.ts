// The address of the page: puzzle, instance, line of actions, and the view of them.

export const ROOMS = ["setup", "play", "solve", "design", "research"] as const;
export type Room = (typeof ROOMS)[number];

export interface Address {
  /** Spec of the puzzle; empty before the puzzles are known. */
  puzzle: string;
  /** Text of the instance. */
  instance: string;
  /** Actions in standard notation. */
  line: string;
  room: Room;
  /** Number of actions that have been applied; null: all of them. */
  at: number | null;
  /** Name of a preset or a solver spec; empty: the default preset. */
  solver: string;
  /** Record that Research shows: `experiment/NAME`, `run/NAME`, or empty. */
  show: string;
  /** Filters of the runs of an experiment. */
  by: string;
  status: string;
}

export const START: Address = {
  puzzle: "",
  instance: "",
  line: "",
  room: "solve",
  at: null,
  solver: "",
  show: "",
  by: "",
  status: "",
};

/** A part of the address as text, or null if its percent-encoding is cut. */
function decoded(part: string | undefined): string | null {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    return null;
  }
}

/** Reads a hash; `cut` is true if a part could not be read and was left out. */
export function readAddress(hash: string): { address: Address; cut: boolean } {
  const [path, query] = hash.replace(/^#/, "").split("?", 2);
  const parts = path.split("/").map(decoded);
  const fields = new URLSearchParams(query ?? "");
  const room = fields.get("room") as Room | null;
  const at = fields.get("at");
  const known = room !== null && ROOMS.includes(room);
  const step = at === null || !/^\d{1,7}$/.test(at) ? null : Number(at);
  const cut =
    parts.includes(null) ||
    parts.length > 3 ||
    (room !== null && !known) ||
    (at !== null && step === null);
  const [puzzle, instance, line] = parts;
  const whole = puzzle !== null && instance !== null;
  const address: Address = {
    puzzle: puzzle ?? "",
    instance: whole ? (instance ?? "") : "",
    line: whole ? (line ?? "") : "",
    room: known ? room : START.room,
    at: step,
    solver: fields.get("solver") ?? "",
    show: fields.get("show") ?? "",
    by: fields.get("by") ?? "",
    status: fields.get("status") ?? "",
  };
  return { address, cut };
}

/** The hash of an address. */
export function writeAddress(address: Address): string {
  const { puzzle, instance, line, room, at, solver } = address;
  const parts = [puzzle, instance, line].map(encodeURIComponent);
  while (parts.length > 1 && parts[parts.length - 1] === "") parts.pop();
  const fields = new URLSearchParams({ room });
  if (at !== null) fields.set("at", String(at));
  if (solver) fields.set("solver", solver);
  if (room === "research") {
    for (const name of ["show", "by", "status"] as const) {
      if (address[name]) fields.set(name, address[name]);
    }
  }
  return `#${parts.join("/")}?${fields}`;
}
