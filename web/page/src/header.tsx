// The bar at the top: the address with its puzzle, instance and room.

import { useEffect, useRef, useState } from "preact/hooks";
import { ROOMS, type Room } from "./address";
import { help } from "./keys";
import { say } from "./say";
import {
  address,
  first,
  go,
  notice,
  puzzle,
  puzzles,
  read,
  readAs,
  several,
  show,
  steps,
  trouble,
} from "./store";
import { cycleTheme, themeName } from "./theme";
import { Trouble } from "./trouble";
import { plain, stepWord } from "./words";
import { allText, tab } from "./workbench";

export const ROOM_NAMES: Record<Room, string> = {
  setup: "Set up",
  play: "Play",
  solve: "Solve",
  design: "Design",
  research: "Research",
};

function Picker() {
  const { puzzle: spec } = address.value;
  const family = puzzle.value;
  return (
    <span class="pick">
      <select
        aria-label="Puzzle"
        data-testid="puzzle-picker"
        value={family?.name ?? ""}
        onChange={(event) => {
          const name = event.currentTarget.value;
          go({ puzzle: name, instance: "", line: "", at: null, solver: "" });
          several.value = null;
          notice.value = "";
          trouble.value = null;
          void first(name, "replace");
        }}
      >
        {puzzles.value.map(({ name, title }) => (
          <option key={name} value={name}>
            {title || name}
          </option>
        ))}
      </select>
      {family && spec !== family.name && (
        <code class="spec-part">{spec.slice(family.name.length)}</code>
      )}
    </span>
  );
}

/** Notation in which the instance was read, and length of the line. */
function facts(): string {
  const family = puzzle.value;
  const { instance } = address.value;
  if (!family || !instance) return "";
  const parts: string[] = [];
  const list = several.value?.instances;
  const index = list?.findIndex((one) => one.instance === instance) ?? -1;
  if (list && index >= 0) parts.push(`${index + 1} of ${list.length}`);
  else if (readAs.value?.instance === instance && readAs.value.form)
    parts.push(`read as ${readAs.value.form}`);
  const { of } = steps.value;
  if (family.aim !== "assignment" && of > 0) {
    const word = stepWord(family.unit, family.aim);
    parts.push(
      `a line of ${of} ${of === 1 ? word : /(s|sh|ch|x)$/.test(word) ? `${word}es` : `${word}s`}`,
    );
  }
  return parts.length > 0 ? parts.join(" · ") : "paste or drop any form";
}

function Field() {
  const { instance } = address.value;
  const family = puzzle.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(instance);
  const [open, setOpen] = useState(false);
  useEffect(() => setText(instance), [instance]);
  const submit = async (value: string) => {
    if (value.trim() === "" || value === instance) {
      trouble.value = null;
      return;
    }
    if (await read(value)) {
      setText(address.value.instance);
      field.current?.blur();
    }
  };
  const shown = open ? text : text.replace(/\n/g, " ⏎ ");
  const rows = open ? Math.min(9, Math.max(1, text.split("\n").length)) : 1;
  return (
    <div class={`pos ${open && rows > 1 ? "tall" : ""} ${trouble.value ? "wrong" : ""}`}>
      <textarea
        ref={field}
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        aria-label="Position"
        aria-invalid={trouble.value ? "true" : undefined}
        aria-describedby={trouble.value ? "position-error" : "read-as"}
        data-testid="position-field"
        placeholder={family ? "paste a position in any form" : ""}
        value={shown}
        onFocus={() => {
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            void submit(event.currentTarget.value);
          }
          if (event.key === "Escape") {
            setText(instance);
            trouble.value = null;
            field.current?.blur();
          }
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text/plain") ?? "";
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          // A paste over the whole text, or of a whole document, is read at once.
          if (selectionEnd - selectionStart === value.length || pasted.includes("\n")) {
            event.preventDefault();
            setText(pasted);
            void submit(pasted);
          }
        }}
      />
      <i id="read-as">{open ? "Enter reads it" : facts()}</i>
    </div>
  );
}

function Choice() {
  const list = several.value;
  if (!list) return null;
  const index = list.instances.findIndex(({ instance }) => instance === address.value.instance);
  if (index < 0) return null;
  const to = (next: number) => show(list.puzzle, list.instances[next]);
  return (
    <span class="step-instance">
      <button
        type="button"
        class="icon"
        aria-label="Previous instance"
        disabled={index === 0}
        onClick={() => to(index - 1)}
      >
        ‹
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Next instance"
        disabled={index === list.instances.length - 1}
        onClick={() => to(index + 1)}
      >
        ›
      </button>
    </span>
  );
}

export function Header() {
  const { room } = address.value;
  const { value } = trouble;
  // The text editor shows the errors of its text itself.
  const elsewhere =
    (room === "setup" || room === "design") && tab.value === "text" && value?.text === allText();
  const error = elsewhere ? null : value;
  return (
    <header>
      <div class="bar">
        <h1 class="mark">unriddle</h1>
        <Picker />
        <Field />
        <Choice />
        <nav aria-label="Rooms">
          {ROOMS.map((name) => (
            <button
              type="button"
              key={name}
              class={room === name ? "on" : ""}
              aria-current={room === name ? "page" : undefined}
              data-testid={`room-${name}`}
              onClick={() => {
                go({ room: name });
                say(`Room: ${ROOM_NAMES[name]}.`);
              }}
            >
              {ROOM_NAMES[name]}
            </button>
          ))}
        </nav>
        <span class="icons">
          <button
            type="button"
            class="icon"
            aria-label="List of keys"
            aria-expanded={help.value}
            onClick={() => (help.value = !help.value)}
          >
            ?
          </button>
          <button
            type="button"
            class="icon"
            aria-label={`Theme: ${themeName()}`}
            onClick={cycleTheme}
          >
            ◐
          </button>
        </span>
      </div>
      {error && (
        <div id="position-error" class="under">
          <Trouble error={error.error} text={error.text} testid="position-error" />
          {error.text && (
            <button type="button" class="link" onClick={() => (trouble.value = null)}>
              dismiss
            </button>
          )}
        </div>
      )}
      {notice.value && !error && (
        <div class="under">
          <p class="notice">{notice.value}</p>
          <button
            type="button"
            class="link"
            aria-label={`Dismiss: ${plain(notice.value)}`}
            onClick={() => (notice.value = "")}
          >
            dismiss
          </button>
        </div>
      )}
    </header>
  );
}
