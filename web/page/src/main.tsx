// The page: header, board with its line, cards of the room, keys.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./tokens.css";
import "./page.css";
import "./header.css";
import "./board.css";
import "./solid.css";
import "./line.css";
import "./cards.css";
import "./moves.css";
import "./fields.css";
import "./editors.css";
import "./research.css";
import "./narrow.css";
import { Board } from "./board";
import { DesignRoom, Reports } from "./design";
import { Header, ROOM_NAMES } from "./header";
import { Help, Foot } from "./help";
import { onKey, playsByKeys } from "./keys";
import { PlayRoom } from "./play";
import { ResearchRoom, ResearchStage } from "./research";
import { follow, resume } from "./run";
import { said } from "./say";
import { SetUpRoom } from "./setup";
import { SolveRoom } from "./solve";
import { address, begin, failure, load, puzzle, puzzles, read, readFile, steps } from "./store";
import { Strip } from "./strip";
import { Transport } from "./transport";
import { Trouble } from "./trouble";
import { Workbench } from "./workbench";

function Stage() {
  const { room } = address.value;
  if (room === "research") return <ResearchStage />;
  const bench = room === "setup" || room === "design";
  const board = <Board playable={room !== "design"} arrowsNavigate={!playsByKeys()} />;
  return (
    <section class="stage" aria-label="Board and line">
      {bench ? <Workbench>{board}</Workbench> : board}
      {(room !== "design" || steps.value.of > 0) && (
        <>
          <Transport />
          <Strip />
        </>
      )}
      {room === "design" && <Reports />}
    </section>
  );
}

function Cards() {
  switch (address.value.room) {
    case "setup":
      return <SetUpRoom />;
    case "play":
      return <PlayRoom />;
    case "design":
      return <DesignRoom />;
    case "research":
      return <ResearchRoom />;
    default:
      return <SolveRoom />;
  }
}

/** Whether text is written into an element. */
function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

function Page() {
  const [dropping, setDropping] = useState(false);
  const { room } = address.value;
  const title = puzzle.value?.title;
  useEffect(() => {
    document.title = [title, ROOM_NAMES[room], "unriddle"].filter(Boolean).join(" · ");
  }, [title, room]);
  useEffect(() => {
    const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!files(event) && !event.dataTransfer?.types.includes("text/plain")) return;
      event.preventDefault();
      setDropping(files(event));
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setDropping(false);
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData("text/plain") ?? "";
      setDropping(false);
      if (!file && (writes(event.target) || !text.trim())) return;
      event.preventDefault();
      if (file) void readFile(file);
      else void read(text);
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (writes(event.target) || !text.trim()) return;
      event.preventDefault();
      void read(text);
    };
    window.addEventListener("paste", paste);
    window.addEventListener("keydown", onKey);
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
      window.removeEventListener("paste", paste);
    };
  }, []);
  return (
    <>
      <Header />
      <Help />
      <main class={`room-${room}`}>
        {failure.value ? (
          <section class="card broken">
            <h2>The engine is not there</h2>
            <Trouble error={failure.value} />
            <button type="button" class="main" onClick={() => void load()}>
              Try again
            </button>
          </section>
        ) : puzzles.value.length === 0 ? (
          <p class="empty loading">Loading the engine …</p>
        ) : (
          <>
            <Stage />
            <aside aria-label={ROOM_NAMES[room]}>
              <Cards />
            </aside>
          </>
        )}
      </main>
      <Foot />
      {dropping && <div class="dropping">Drop the file to read its instances</div>}
      <div class="unseen" role="status" aria-live="polite" data-testid="live">
        {said.value}
      </div>
    </>
  );
}

follow();
begin();
const root = document.getElementById("page");
if (root) {
  root.replaceChildren();
  render(<Page />, root);
}
// The jobs of a reloaded page are found again when its puzzle is known.
const stop = puzzles.subscribe((list) => {
  if (list.length === 0) return;
  queueMicrotask(() => {
    resume();
    stop();
  });
});
