// The room Set up: random, by number, from a file, by hand.

import { useEffect, useState } from "preact/hooks";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { Moves } from "./moves";
import { RulesCard } from "./rules";
import { say } from "./say";
import { address, go, position, puzzle, readFile, several, show, steps } from "./store";
import { Trouble } from "./trouble";
import type { ErrorBody, Info, Instances } from "./types";
import { plain, stepWord } from "./words";

/** A generator's spec with the parameters that were given. */
function generatorSpec(info: Info, values: Record<string, string>): string {
  const given = info.parameters
    .map(({ name, positional, default: standard }) => {
      const value = (values[name] ?? "").trim();
      if (value === "" || value === standard) return "";
      return positional ? value : `${name}=${value}`;
    })
    .filter(Boolean);
  return given.length > 0 ? `${info.name}(${given.join(", ")})` : info.name;
}

function RandomCard() {
  const family = puzzle.value;
  const [choice, setChoice] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const [seed, setSeed] = useState("");
  const [last, setLast] = useState<number | null>(null);
  const [error, setError] = useState<ErrorBody | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setChoice("");
    setValues({});
    setError(null);
    setLast(null);
  }, [family?.name]);
  if (!family) return null;
  const { sizes, generators } = family;
  const selected = choice || (sizes.length === 1 ? `size:${sizes[0].name}` : "usual:");
  const [kind, name] = [selected.slice(0, selected.indexOf(":")), selected.slice(selected.indexOf(":") + 1)];
  const info = kind === "generator" ? generators.find((one) => one.name === name) : undefined;
  const make = async () => {
    const given = /^\d+$/.test(seed.trim()) ? Number(seed) : null;
    const number = given ?? Math.floor(Math.random() * 1e6);
    const size = sizes.find((size) => size.name === name)?.generator ?? null;
    const generator = kind === "size" ? size : info ? generatorSpec(info, values) : null;
    setBusy(true);
    try {
      const made = await engine.call("generate", { puzzle: address.value.puzzle, generator, seed: number });
      setError(null);
      setLast(number);
      several.value = null;
      show(made.puzzle, { ...made.instances[0], solution: null });
      say(`A random instance, seed ${number}.`);
    } catch (reason) {
      setError(errorBody(reason));
    }
    setBusy(false);
  };
  return (
    <section class="card" aria-label="Random">
      <h2>Random</h2>
      <div class="fields">
        {(sizes.length > 0 || generators.length > 0) && (
          <label class="wide">
            {sizes.length > 0 ? "size" : "generator"}
            <select value={selected} onChange={(event) => setChoice(event.currentTarget.value)}>
              {sizes.length !== 1 && <option value="usual:">the usual one</option>}
              {sizes.map((size) => (
                <option key={size.name} value={`size:${size.name}`}>
                  {size.name}
                </option>
              ))}
              {generators.length > 0 && (
                <optgroup label="by a generator">
                  {generators.map((one) => (
                    <option key={one.name} value={`generator:${one.name}`}>
                      {one.name}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
          </label>
        )}
        <label>
          seed
          <input inputMode="numeric" placeholder="any" data-testid="seed" value={seed} onInput={(event) => setSeed(event.currentTarget.value)} />
        </label>
        {info?.parameters.map(({ name, summary, default: standard, words }) => (
          <label key={name} title={summary}>
            {name}
            {words.length > 0 ? (
              <select value={values[name] ?? standard ?? ""} onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}>
                {words.map((word) => (
                  <option key={word}>{word}</option>
                ))}
              </select>
            ) : (
              <input
                placeholder={standard ?? ""}
                value={values[name] ?? ""}
                onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              />
            )}
          </label>
        ))}
      </div>
      {info && <p class="sub">{info.summary}</p>}
      {error && <Trouble error={error} />}
      <button type="button" class="main" data-testid="random" disabled={busy} onClick={() => void make()}>
        New random instance
      </button>
      {last !== null && <p class="sub center">seed {last}</p>}
    </section>
  );
}

function NumberCard() {
  const family = puzzle.value;
  const [number, setNumber] = useState("1");
  const [error, setError] = useState<ErrorBody | null>(null);
  if (!family?.deals) return null;
  const deal = async () => {
    try {
      const made: Instances = await engine.call("deal", { puzzle: address.value.puzzle, number: Number(number) });
      setError(null);
      several.value = null;
      show(made.puzzle, made.instances[0]);
      say(`Number ${number}.`);
    } catch (reason) {
      setError(errorBody(reason));
    }
  };
  return (
    <section class="card" aria-label="By number">
      <h2>By number</h2>
      {family.numbered && <p class="sub">{family.numbered}</p>}
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void deal();
        }}
      >
        <label>
          number
          <input inputMode="numeric" data-testid="number" value={number} onInput={(event) => setNumber(event.currentTarget.value)} />
        </label>
        <button type="submit" class="plain strong" data-testid="deal" disabled={!/^\d+$/.test(number.trim())}>
          Show it
        </button>
      </form>
      {error && <Trouble error={error} />}
    </section>
  );
}

function FileCard() {
  const list = several.value;
  const { instance } = address.value;
  const index = list?.instances.findIndex((one) => one.instance === instance) ?? -1;
  return (
    <section class="card" aria-label="From a file">
      <h2>From a file</h2>
      <p class="sub">Drop a file anywhere on the page, or paste its text into the field at the top.</p>
      <label class="plain file">
        Choose a file
        <input
          type="file"
          data-testid="file"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void readFile(file);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {list && list.instances.length > 1 && (
        <label class="fields list">
          <span>
            {index >= 0 ? `${index + 1} of ` : ""}
            {list.instances.length} instances
          </span>
          <select
            size={Math.min(8, list.instances.length)}
            data-testid="instances"
            value={index}
            onChange={(event) => show(list.puzzle, list.instances[Number(event.currentTarget.value)])}
          >
            {list.instances.map((one, at) => (
              <option key={at} value={at}>
                {plain(one.id)} {one.unsolvable ? "· cannot be solved" : ""}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

function HandCard() {
  const now = position.value;
  const family = puzzle.value;
  const { at } = steps.value;
  if (!now || !family || family.aim === "assignment") return null;
  const word = stepWord(family.unit, family.aim);
  const free = now.actions.filter(({ from, to }) => from === null && to === null);
  return (
    <section class="card" aria-label="By hand">
      <h2>By hand</h2>
      <p class="sub">
        Play on the board{now.actions.some(({ key }) => key) ? " or by keys" : ""}, then make the position the start. The editor above the
        board changes single cells.
      </p>
      {free.length > 0 && now.spots.length === 0 && (
        <div class="actions" role="group" aria-label="Moves that are possible">
          {free.map((action) => (
            <button type="button" key={action.text} data-testid={`action-${action.text}`} onClick={() => go({ line: action.line, at: null })}>
              {action.text}
            </button>
          ))}
        </div>
      )}
      <button
        type="button"
        class="plain strong"
        data-testid="make-start"
        disabled={at === 0}
        onClick={() => {
          several.value = null;
          go({ instance: now.instance, line: "", at: null });
          say("This position is the start now.");
        }}
      >
        {at === 0 ? "Make this the start" : `Make the position after ${word} ${at} the start`}
      </button>
    </section>
  );
}

export function SetUpRoom() {
  const { of } = steps.value;
  return (
    <>
      <RandomCard />
      <NumberCard />
      <FileCard />
      <HandCard />
      <RulesCard />
      {of > 0 && <Moves title="Moves" />}
    </>
  );
}
