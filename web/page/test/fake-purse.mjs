// A puzzle whose instances are documents: coins of a purse, edited as tables. A state is an object.

const USES = ["free", "spent", "kept"];

function sections({ coins, most }) {
  const shown = (name) => ({ name, kind: "text", optional: false, editable: false });
  const number = (name, min) => ({ name, kind: "number", min, optional: false, editable: true });
  return [
    { title: "Limits", columns: [shown("limit"), number("at most", 0)], rows: [["coins", `${most}`]] },
    {
      title: "Coins",
      columns: [
        shown("coin"),
        number("worth", 1),
        { name: "use", kind: "choice", words: USES, optional: false, editable: true },
        { name: "lucky", kind: "mark", optional: false, editable: true },
      ],
      rows: coins.map(({ name, worth, use, lucky }) => [name, `${worth}`, use, lucky ? "on" : "off"]),
    },
  ];
}

export const purse = {
  about: {
    name: "purse",
    title: "Purse",
    summary: "Choose coins of a purse",
    unit: "coins",
    aim: "assignment",
    parameters: [],
    presets: [{ name: "exact", summary: "All choices" }],
    sizes: [],
    generators: [],
    forms: [{ name: "document", rule: "JSON", example: "", puzzle: "purse" }],
    inline: false,
    deals: false,
  },
  solvers: { exact: "choose" },
  why: "too few coins are free",
  actions: () => [],
  left: ({ coins, most }) => {
    const free = coins.filter(({ use }) => use !== "kept").length;
    return free >= most ? free : undefined;
  },
  solved: () => false,
  path: () => [],
  detour: () => null,
  read(text, Refused) {
    try {
      const { coins, most } = JSON.parse(text);
      return { coins: coins.map((coin) => ({ ...coin })), most: Number(most) };
    } catch (error) {
      throw new Refused(String(error.message), { field: "instance", line: 1, column: 1 });
    }
  },
  write: (state) => JSON.stringify(state),
  parts: (text) => (text.trim() ? [{ text, line: 1 }] : []),
  split: (line) => line.split(/\s+/).filter(Boolean),
  join: (actions) => actions.join(" "),
  random(seed) {
    const coin = (_, at) => ({
      name: `coin ${at + 1}`,
      worth: 1 + ((at * 7 + seed) % 50),
      use: "free",
      lucky: false,
    });
    return { coins: Array.from({ length: 1500 }, coin), most: 3 };
  },
  label: ({ coins }) => `${coins.length} coins`,
  svg: ({ coins, most }) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 120"><rect class="paper" width="300" height="120" rx="12" fill="#ddd"/><text class="ink" x="150" y="70" font-size="24" text-anchor="middle" font-family="system-ui">${most} of ${coins.length} coins</text></svg>`,
  spots: () => [],
  sketch: null,
  sheet: (state) => ({
    layout: "table",
    gesture: "write",
    rows: [],
    palette: [],
    heads: [],
    resizable: false,
    help: "Change the values.",
    sections: sections(state),
  }),
  changed(state, changes, Refused) {
    for (const { section, row, column, text } of changes) {
      const refuse = (message) => {
        throw new Refused(message, { section, row, cell: column });
      };
      if (section === 0) {
        if (!/^\d+$/.test(text)) refuse(`\`at most\` is ${text}, expected a number`);
        state.most = Number(text);
      } else if (column === 1) {
        if (!/^[1-9]\d*$/.test(text)) refuse(`\`worth\` is ${text}, expected a number of at least 1`);
        state.coins[row].worth = Number(text);
      } else if (column === 2) state.coins[row].use = text;
      else state.coins[row].lucky = text === "on";
    }
    return state;
  },
};
