// The list of keys, and the line at the foot of the page.

import { actionKeys, help, keyList, playsByKeys } from "./keys";
import { version } from "./store";

function Keys({ keys }: { keys: string[] }) {
  return (
    <>
      {keys.map((key, index) => (
        <span key={key}>
          {index > 0 && " "}
          <kbd>{key}</kbd>
        </span>
      ))}
    </>
  );
}

const ARROWS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

export function Help() {
  if (!help.value) return null;
  const own = actionKeys();
  return (
    <section class="help" aria-label="Keys">
      <div>
        <h2>Keys</h2>
        <dl>
          {keyList().map(([keys, words]) => (
            <div key={words}>
              <dt>
                <Keys keys={keys} />
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </div>
      {own.length > 0 && (
        <div class="own">
          <h2>Keys of the puzzle, in Set up and Play</h2>
          <dl>
            {own.map(([key, words]) => (
              <div key={key}>
                <dt>
                  <Keys keys={[ARROWS[key] ?? key]} />
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <button type="button" class="link" onClick={() => (help.value = false)}>
        close
      </button>
    </section>
  );
}

export function Foot() {
  const own = playsByKeys() ? actionKeys().slice(0, 4) : [];
  const some = keyList().filter(
    ([, words]) => ["step", "hint", "list of keys"].includes(words) || words.startsWith("edit"),
  );
  return (
    <footer>
      {own.length > 0 && (
        <span>
          <Keys keys={own.map(([key]) => ARROWS[key] ?? key)} /> play
        </span>
      )}
      {some.map(([keys, words]) => (
        <span key={words}>
          <Keys keys={keys} /> {words}
        </span>
      ))}
      <span class="version">{version.value}</span>
    </footer>
  );
}
