// An error with its position in a text.

import type { ErrorBody } from "./types";
import { sentence } from "./words";

/** The line of a text with a caret under the column of the error. */
export function Caret({ error, text }: { error: ErrorBody; text: string }) {
  if (!error.column || !text) return null;
  const source = text.split("\n")[(error.line ?? 1) - 1];
  if (source === undefined) return null;
  const column = Math.min(error.column, source.length + 1);
  // A long line is shown around its error.
  const start = Math.max(0, column - 48);
  const part = source.slice(start, start + 84).replace(/\t/g, " ");
  const lead = start > 0 ? "…" : "";
  const length = Math.max(1, Math.min(error.length ?? 1, part.length - (column - 1 - start)));
  const indent = " ".repeat(lead.length + column - 1 - start);
  const name = error.line ? `Line ${error.line}, column ${error.column}` : `Column ${error.column}`;
  return (
    <div class="caret">
      <span class="sub">{name}</span>
      <pre aria-hidden="true">
        {lead}
        {part}
        {"\n"}
        {indent}
        <b>{"^".repeat(length)}</b>
      </pre>
    </div>
  );
}

export function Trouble({
  error,
  text = "",
  testid,
}: {
  error: ErrorBody;
  text?: string;
  testid?: string;
}) {
  return (
    <div class="error" data-testid={testid}>
      <p>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path
            d="M7 1l6.2 11.5H.8z"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            stroke-linejoin="round"
          />
          <path d="M7 5v3.6M7 9.8v1.4" stroke="currentColor" stroke-width="1.5" />
        </svg>
        {sentence(error.message)}
      </p>
      <Caret error={error} text={text} />
    </div>
  );
}
