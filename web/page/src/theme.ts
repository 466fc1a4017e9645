// Light and dark: the system's choice, or the reader's, which the browser keeps.

import { signal } from "@preact/signals";
import { say } from "./say";
import { forget, keep, kept } from "./storage";

type Theme = "light" | "dark" | null;

const theme = signal<Theme>(kept<Theme>("theme"));

function dark(): boolean {
  return theme.value === null
    ? window.matchMedia("(prefers-color-scheme: dark)").matches
    : theme.value === "dark";
}

function show(): void {
  const { dataset } = document.documentElement;
  if (theme.value === null) delete dataset.theme;
  else dataset.theme = theme.value;
}

export function themeName(): string {
  return dark() ? "dark" : "light";
}

/** Changes between light and dark; the system's choice is not overridden without need. */
export function cycleTheme(): void {
  const next = dark() ? "light" : "dark";
  const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  theme.value = next === system ? null : next;
  if (theme.value === null) forget("theme");
  else keep("theme", theme.value);
  show();
  say(`Theme: ${next}.`);
}

show();
