// Text of the live region, which announces changes.

import { signal } from "@preact/signals";

export const said = signal("");

export function say(text: string): void {
  // A repeated sentence is said again because it differs by an invisible space.
  said.value = said.value === text ? `${text}\u00a0` : text;
}
