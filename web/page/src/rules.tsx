// The rules of the puzzle: parameters of its spec, such as a size or a variant.

import { useEffect, useState } from "preact/hooks";
import { address, first, go, puzzle, several } from "./store";
import { say } from "./say";
import type { Parameter } from "./types";
import { sentence } from "./words";

/** Parameters that a spec gives: `name(a=1, b=two)`; a value may have brackets of its own. */
export function given(spec: string): Map<string, string> {
  const values = new Map<string, string>();
  const open = spec.indexOf("(");
  if (open < 0) return values;
  let depth = 0;
  let part = "";
  const end = () => {
    const equals = part.indexOf("=");
    if (part.trim())
      values.set(equals < 0 ? "" : part.slice(0, equals).trim(), part.slice(equals + 1).trim());
    part = "";
  };
  for (const letter of spec.slice(open + 1, spec.lastIndexOf(")"))) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) end();
    else part += letter;
  }
  end();
  return values;
}

function specOf(name: string, parameters: Parameter[], values: Map<string, string>): string {
  const parts = parameters
    .map((parameter) => {
      const value = values.get(parameter.name) ?? "";
      return value === "" || value === parameter.default ? "" : `${parameter.name}=${value}`;
    })
    .filter(Boolean);
  return parts.length > 0 ? `${name}(${parts.join(", ")})` : name;
}

function Field({
  parameter,
  value,
  change,
}: {
  parameter: Parameter;
  value: string;
  change(value: string): void;
}) {
  const { name, summary, default: standard, words, domain } = parameter;
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label class="wide" title={summary}>
      {name}
      {words.length > 0 ? (
        <select
          value={value || (standard ?? "")}
          onChange={(event) => change(event.currentTarget.value)}
        >
          {words.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input
          inputMode={domain === "integer" ? "numeric" : undefined}
          placeholder={standard ?? ""}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => change(text.trim())}
        />
      )}
    </label>
  );
}

export function RulesCard() {
  const family = puzzle.value;
  const { puzzle: spec } = address.value;
  if (!family) return null;
  const values = given(spec);
  const change = (name: string, value: string) => {
    const next = specOf(family.name, family.parameters, new Map(values).set(name, value));
    if (next === spec) return;
    several.value = null;
    go({ puzzle: next, instance: "", line: "", at: null, solver: "" });
    say(`Rules: ${next}.`);
    void first(next, "replace");
  };
  const count = [...values.keys()].length;
  return (
    <section class="card" aria-label="Rules">
      <h2>Rules</h2>
      <p class="sub">{sentence(family.summary)}</p>
      {family.parameters.length > 0 && (
        <details class="fold" open={count > 0}>
          <summary>
            Parameters <span class="sub">{count === 0 ? "as usual" : `${count} changed`}</span>
          </summary>
          <div class="fields">
            {family.parameters.map((parameter) => (
              <Field
                key={parameter.name}
                parameter={parameter}
                value={
                  values.get(parameter.name) ?? (parameter.positional ? (values.get("") ?? "") : "")
                }
                change={(value) => change(parameter.name, value)}
              />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}
