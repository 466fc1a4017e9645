// Drawings of the engine: made safe, and moved from one position to the next.

/** Removes scripts, handlers and links out of a drawing or a report. */
export function scrub(root: ParentNode): void {
  const foreign = "script,iframe,object,embed,link,meta,base,form,foreignObject";
  for (const element of root.querySelectorAll(foreign)) element.remove();
  for (const element of root.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const link = /(^|:)(href|src|action)$/i.test(name);
      if (/^on/i.test(name) || (link && !/^\s*(#|data:image\/)/i.test(value))) {
        element.removeAttribute(name);
      }
    }
  }
}

/** A drawing as an element, or null if the text is no SVG. */
export function drawing(text: string): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const svg = parsed.querySelector("svg");
  if (!svg) return null;
  scrub(parsed);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("aria-hidden", "true");
  svg.removeAttribute("role");
  // A title would be shown as a tip over the whole board; the grid has its label.
  svg.querySelector(":scope > title")?.remove();
  return svg;
}

/** The view box of a drawing. */
export function box(svg: SVGSVGElement): { x: number; y: number; width: number; height: number } {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return width > 0 && height > 0 ? { x, y, width, height } : { x: 0, y: 0, width: 1, height: 1 };
}

const TIME = 180;

function pieces(svg: SVGSVGElement): Map<string, SVGGraphicsElement> {
  const found = new Map<string, SVGGraphicsElement>();
  for (const element of svg.querySelectorAll<SVGGraphicsElement>("[data-piece]")) {
    found.set(element.dataset.piece as string, element);
  }
  return found;
}

/** Replaces the drawing of `host`; pieces move from their old position to the new one. */
export function replace(host: HTMLElement, next: SVGSVGElement | null, moving: boolean): void {
  const before = host.querySelector("svg");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const old = new Map<string, DOMRect>();
  if (before && moving && !still) {
    for (const [name, element] of pieces(before)) old.set(name, element.getBoundingClientRect());
  }
  host.replaceChildren(...(next ? [next] : []));
  if (!next || old.size === 0) return;
  for (const [name, element] of pieces(next)) {
    const from = old.get(name);
    const matrix = from && element.getScreenCTM();
    if (!from || !matrix) continue;
    const to = element.getBoundingClientRect();
    const dx = from.x + from.width / 2 - to.x - to.width / 2;
    const dy = from.y + from.height / 2 - to.y - to.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 1) continue;
    const { a, b, c, d } = matrix;
    const inverse = new DOMMatrix([a, b, c, d, 0, 0]).inverse();
    const move = new DOMPoint(dx, dy).matrixTransform(inverse);
    // The translation is added to the transform that the drawing gives the piece.
    element.animate(
      { transform: [`translate(${move.x}px, ${move.y}px)`, "translate(0, 0)"] },
      { duration: TIME, easing: "ease-out", composite: "add" },
    );
  }
}
