// The stage of Set up and Design: the board, its editor, or the text of the instances.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "./engine";
import { SketchEditor } from "./sketch";
import { address, puzzle, read, several, trouble } from "./store";
import { Trouble } from "./trouble";
import type { Form } from "./types";

type Tab = "board" | "editor" | "text";

const TABS: [Tab, string][] = [
  ["board", "Board"],
  ["editor", "Editor"],
  ["text", "Text"],
];

export const tab = signal<Tab>("board");
/** Whether the puzzle has an editor of cells. */
const sketched = signal(true);
/** Text of the editor; null: the instances of the page. */
export const draft = signal<string | null>(null);

/** The instances of the page as a text. */
export function allText(): string {
  const { instance } = address.value;
  if (draft.value !== null) return draft.value;
  const list = several.value?.instances;
  if (!list?.some((one) => one.instance === instance)) return instance;
  return list.map((one) => one.instance).join(puzzle.value?.inline ? "\n" : "\n\n");
}

function TextEditor() {
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const family = puzzle.value;
  const text = allText();
  const error = trouble.value?.text === text ? trouble.value.error : null;
  useEffect(() => {
    const element = field.current;
    if (!element || !error?.line) return;
    // The error's line is brought into view, with the cursor at its column.
    const before =
      text
        .split("\n")
        .slice(0, error.line - 1)
        .join("\n").length + (error.line > 1 ? 1 : 0);
    const at = before + (error.column ?? 1) - 1;
    element.focus();
    element.setSelectionRange(at, at + (error.length ?? 1));
    element.scrollTop = Math.max(0, (error.line - 4) * 22);
  }, [error]);
  if (!family) return null;
  const lines = text.split("\n").length;
  const submit = async (value: string) => {
    setBusy(true);
    if (await read(value)) draft.value = null;
    setBusy(false);
  };
  return (
    <div class="text-editor">
      <div class="editor">
        <pre class="gutter" aria-hidden="true" ref={gutter}>
          {Array.from({ length: Math.min(lines, 5000) }, (_, index) => (
            <span key={index} class={error?.line === index + 1 ? "wrong" : ""}>
              {index + 1}
              {"\n"}
            </span>
          ))}
        </pre>
        <textarea
          ref={field}
          spellcheck={false}
          wrap="off"
          aria-label="Text of the instances"
          aria-invalid={error ? "true" : undefined}
          data-testid="text-editor"
          value={text}
          onInput={(event) => (draft.value = event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {error && <Trouble error={error} text={text} testid="text-error" />}
      <div class="buttons">
        <button
          type="button"
          class="plain strong"
          data-testid="read-text"
          disabled={busy}
          onClick={() => void submit(text)}
        >
          {busy ? "Reading …" : "Read this text"}
        </button>
        {draft.value !== null && (
          <button type="button" class="plain" onClick={() => (draft.value = null)}>
            Discard changes
          </button>
        )}
      </div>
      <details class="fold">
        <summary>
          Notations <span class="sub">{family.forms.length}</span>
        </summary>
        <dl class="forms">
          {family.forms.map((form: Form) => (
            <div key={form.name}>
              <dt>{form.name}</dt>
              <dd>
                {form.rule}
                {form.example && (
                  <>
                    <pre>{form.example}</pre>
                    <button
                      type="button"
                      class="link"
                      onClick={() =>
                        void read(form.example, form.puzzle || undefined).then(
                          (done) => done && (draft.value = null),
                        )
                      }
                    >
                      use this example
                    </button>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

export function Workbench({ children }: { children: ComponentChildren }) {
  const { instance, puzzle: spec } = address.value;
  useEffect(() => {
    draft.value = null;
  }, [spec, instance]);
  useEffect(() => {
    let over = false;
    // Some puzzles have an empty board; others have an editor for an instance.
    const ask = (instance: string | null) => engine.call("sketch", { puzzle: spec, instance });
    ask(null)
      .then((answer) => (answer.sketch || !instance ? answer : ask(instance)))
      .then(({ sketch }) => sketch !== null)
      .catch(() => true)
      .then((has) => {
        if (over) return;
        sketched.value = has;
        if (!has && tab.value === "editor") tab.value = "text";
      });
    return () => {
      over = true;
    };
  }, [spec, instance]);
  const tabs = TABS.filter(([name]) => name !== "editor" || sketched.value);
  return (
    <div class="bench">
      <div class="tabs" role="tablist" aria-label="Ways to set up">
        {tabs.map(([name, title]) => (
          <button
            type="button"
            key={name}
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab.value === name}
            aria-controls="bench"
            tabIndex={tab.value === name ? 0 : -1}
            data-own-keys
            data-testid={`tab-${name}`}
            class={tab.value === name ? "on" : ""}
            onClick={() => (tab.value = name)}
            onKeyDown={(event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              if (step === 0) return;
              event.preventDefault();
              const index = tabs.findIndex(([other]) => other === tab.value);
              const [next] = tabs[(index + step + tabs.length) % tabs.length];
              tab.value = next;
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="bench" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "board" ? (
          children
        ) : tab.value === "editor" ? (
          <SketchEditor />
        ) : (
          <TextEditor />
        )}
      </div>
    </div>
  );
}
