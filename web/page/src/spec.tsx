// A field for a solver spec, with completion and live checking.

import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { address, puzzle } from "./store";
import { Caret } from "./trouble";
import type { ErrorBody, Info } from "./types";
import { sentence } from "./words";

interface Proposal {
  text: string;
  summary: string;
}

const WORD = /[\w.-]*$/;

/** The innermost open expression before the cursor, and the parameter that is being written. */
function context(before: string): { open: string | null; parameter: string | null } {
  const stack: { name: string; from: number }[] = [];
  for (let index = 0; index < before.length; index += 1) {
    if (before[index] === "(")
      stack.push({ name: WORD.exec(before.slice(0, index))?.[0] ?? "", from: index + 1 });
    else if (before[index] === ")") stack.pop();
  }
  const open = stack.pop();
  if (!open) return { open: null, parameter: null };
  const argument = before.slice(open.from).split(",").pop() ?? "";
  return { open: open.name, parameter: /^\s*([\w-]+)\s*=/.exec(argument)?.[1] ?? null };
}

/** Completions at the end of a text. */
export function proposals(before: string, infos: Info[]): Proposal[] {
  const word = WORD.exec(before)?.[0] ?? "";
  const { open, parameter } = context(before);
  const list: Proposal[] = [];
  const expressions = (role: (info: Info) => boolean) => {
    for (const info of infos) if (role(info)) list.push({ text: info.name, summary: info.summary });
  };
  const info = infos.find(({ name }) => name === open);
  if (open === null) expressions(({ role }) => /search|solver/.test(role));
  else if (parameter !== null) {
    const found = info?.parameters.find(({ name }) => name === parameter);
    if (found && ["heuristic", "search", "play-out"].includes(found.domain)) {
      expressions(({ role }) => role.includes(found.domain));
    } else for (const text of found?.words ?? []) list.push({ text, summary: "" });
  } else {
    const positional = info?.parameters.find(({ positional }) => positional);
    if (positional) {
      expressions(({ role }) => role.includes(positional.domain));
      for (const text of positional.words) list.push({ text, summary: "" });
    }
    for (const { name, summary, default: standard, positional } of info?.parameters ?? []) {
      if (positional) continue;
      list.push({
        text: `${name}=`,
        summary: standard === null ? summary : `${summary} (${standard})`,
      });
    }
  }
  const fits = list.filter(({ text }) => text.startsWith(word) && text !== word);
  return fits.slice(0, 8);
}

interface SpecProps {
  value: string;
  instance: string;
  name: string;
  change(solver: string): void;
}

export function SpecField({ value, instance, name, change }: SpecProps) {
  const { puzzle: spec } = address.value;
  const [text, setText] = useState(value);
  const [infos, setInfos] = useState<Info[]>([]);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [cursor, setCursor] = useState(0);
  const [checked, setChecked] = useState<{ error: ErrorBody | null; normal: string }>({
    error: null,
    normal: "",
  });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // While one types, the text leads and the address follows.
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  useEffect(() => {
    let over = false;
    engine
      .call("expressions", { puzzle: spec })
      .then(({ expressions }) => !over && setInfos(expressions))
      .catch(() => {});
    return () => {
      over = true;
    };
  }, [spec]);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      if (!text.trim()) return setChecked({ error: null, normal: "" });
      try {
        const { solver } = await engine.call("spec", { puzzle: spec, instance, solver: text });
        if (!over) setChecked({ error: null, normal: solver });
      } catch (error) {
        if (!over) setChecked({ error: errorBody(error), normal: "" });
      }
    }, 180);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [text, spec, instance]);
  const list = open ? proposals(text.slice(0, cursor), infos) : [];
  const id = `spec-${name}`;
  const take = ({ text: word }: Proposal) => {
    const before = text.slice(0, cursor).replace(WORD, "") + word;
    const info = infos.find(({ name }) => name === word);
    const opens = info && info.parameters.length > 0 && text[cursor] !== "(";
    const next = `${before}${opens ? "()" : ""}${text.slice(cursor)}`;
    const to = before.length + (opens ? 1 : 0);
    if (field.current) {
      // At once, so that the next key finds the cursor at its place.
      field.current.value = next;
      field.current.setSelectionRange(to, to);
    }
    setText(next);
    setCursor(to);
    setChosen(-1);
    change(next);
  };
  return (
    <div class="spec">
      <input
        ref={field}
        type="text"
        class="mono"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        role="combobox"
        aria-label="Solver spec"
        aria-autocomplete="list"
        aria-expanded={list.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 && chosen < list.length ? `${id}-${chosen}` : undefined}
        aria-invalid={checked.error ? "true" : undefined}
        data-testid={id}
        placeholder="search(heuristic, …)"
        value={text}
        onInput={(event) => {
          const { value, selectionStart } = event.currentTarget;
          setText(value);
          setCursor(selectionStart ?? value.length);
          setOpen(true);
          setChosen(-1);
          change(value.trim());
        }}
        onFocus={(event) => {
          setCursor(event.currentTarget.selectionStart ?? 0);
          setOpen(true);
        }}
        onClick={(event) => setCursor(event.currentTarget.selectionStart ?? 0)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={(event) => {
          if (list.length === 0) return;
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            const step = event.key === "ArrowDown" ? 1 : -1;
            setChosen(
              (chosen + step + list.length + (chosen < 0 && step < 0 ? 1 : 0)) % list.length,
            );
          } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) {
            event.preventDefault();
            take(list[chosen]);
          } else if (event.key === "Escape") setOpen(false);
        }}
      />
      <ul
        class="proposals"
        role="listbox"
        id={`${id}-list`}
        aria-label="Completions"
        hidden={list.length === 0}
      >
        {list.map((proposal, index) => (
          <li
            key={proposal.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => {
              event.preventDefault();
              take(proposal);
            }}
          >
            <code>{proposal.text}</code>
            <span>{proposal.summary}</span>
          </li>
        ))}
      </ul>
      {checked.error ? (
        <div class="error" data-testid={`${id}-error`}>
          <Caret error={checked.error} text={text} />
          <p>{sentence(checked.error.message)}</p>
        </div>
      ) : (
        <p class="sub">
          {checked.normal ? (
            <>
              valid
              {checked.normal !== text.trim() && (
                <>
                  : <code>{checked.normal}</code>
                </>
              )}
            </>
          ) : (
            `A search of ${puzzle.value?.title ?? "the puzzle"} with its parameters.`
          )}
        </p>
      )}
    </div>
  );
}
