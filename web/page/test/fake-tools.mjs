// Tools of the fake puzzles, whose states are all searched in advance.

/** Distances to the goals of all states, by a search backwards over the reversed actions. */
export function distances(goals, before) {
  const found = new Map(goals.map((goal) => [goal, 0]));
  let layer = goals;
  for (let depth = 1; layer.length > 0; depth += 1) {
    const next = [];
    for (const state of layer) {
      for (const other of before(state)) {
        if (!found.has(other)) {
          found.set(other, depth);
          next.push(other);
        }
      }
    }
    layer = next;
  }
  return found;
}

export function noise(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A puzzle with the functions that follow from its states and actions. */
export function complete(puzzle) {
  let known = null;
  const table = () => (known ??= puzzle.table());
  return {
    ...puzzle,
    left: (state) => table().get(state),
    solved: (state) => table().get(state) === 0,
    path(state) {
      const path = [];
      let now = state;
      while (table().get(now) > 0) {
        const next = puzzle
          .actions(now)
          .find(({ to_state }) => table().get(to_state) === table().get(now) - 1);
        path.push(next.text);
        now = next.to_state;
      }
      return path;
    },
    /** A longer solution, or null. */
    detour(state, best, length) {
      for (let at = 0; at < best.length; at += 1) {
        let now = state;
        for (const text of best.slice(0, at))
          now = puzzle.actions(now).find((action) => action.text === text).to_state;
        for (const action of puzzle.actions(now)) {
          const rest = table().get(action.to_state);
          if (rest !== undefined && at + 1 + rest === length)
            return [...best.slice(0, at), action.text, ...this.path(action.to_state)];
        }
      }
      return null;
    },
  };
}
