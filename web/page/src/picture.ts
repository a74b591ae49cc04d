// Data and pictures that the user takes away: CSV, SVG and PNG.

import { button, h } from "./dom";

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const quoted = (cell: string | number | null): string => {
  const text = cell === null ? "" : String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export function csvText(head: string[], rows: (string | number | null)[][]): string {
  return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

export function saveCsv(name: string, head: string[], rows: (string | number | null)[][]): void {
  save(name, new Blob([csvText(head, rows)], { type: "text/csv" }));
}

const carried = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity",
  "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline", "visibility", "display",
];

// The colour as other programs read it: mixtures of colours (color-mix, oklab) are a browser's own.
const asRgb = (() => {
  const known = new Map<string, string>();
  return (value: string): string => {
    if (!/^(color|oklab|oklch|lab|lch|hwb)\(/.test(value)) return value;
    let rgb = known.get(value);
    if (rgb === undefined) {
      const pen = h("canvas", { width: 1, height: 1 }).getContext("2d")!;
      pen.fillStyle = value;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      rgb = `rgba(${red}, ${green}, ${blue}, ${(alpha! / 255).toFixed(3)})`;
      known.set(value, rgb);
    }
    return rgb;
  };
})();

// A copy of an SVG that looks the same outside the page: computed styles become attributes.
function standalone(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const from = [picture, ...picture.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of carried) {
      const value = style.getPropertyValue(name);
      if (value !== "") to[i]!.setAttribute(name, asRgb(value));
    }
    to[i]!.removeAttribute("class");
    to[i]!.removeAttribute("style"); // it names variables of the page, and would win
  });
  const box = picture.viewBox.baseVal;
  const [width, height] = box.width > 0 ? [box.width, box.height] : [picture.clientWidth, picture.clientHeight];
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ x: box.x, y: box.y, width, height, fill: asRgb(getComputedStyle(document.body).backgroundColor) })) {
    paper.setAttribute(key, String(value));
  }
  copy.prepend(paper);
  return copy;
}

function svgBlob(picture: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(standalone(picture))], { type: "image/svg+xml" });
}

export function saveSvg(name: string, picture: SVGSVGElement): void {
  save(name, svgBlob(picture));
}

export async function savePng(name: string, picture: SVGSVGElement, scale = 2): Promise<void> {
  const address = URL.createObjectURL(svgBlob(picture));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = h("canvas", { width: image.width * scale, height: image.height * scale });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (content !== null) save(name, content);
}

// The buttons below a picture. `data` is called when the user asks for it.
export function takeaways(
  name: string, picture: () => SVGSVGElement | null,
  data: () => { head: string[]; rows: (string | number | null)[][] },
): HTMLElement {
  const drawn = (act: (p: SVGSVGElement) => void) => () => {
    const p = picture();
    if (p !== null) act(p);
  };
  return h("div", { class: "takeaways", role: "group", "aria-label": `Save ${name}` },
    button("CSV", () => { const { head, rows } = data(); saveCsv(`${name}.csv`, head, rows); }),
    button("SVG", drawn((p) => saveSvg(`${name}.svg`, p))),
    button("PNG", drawn((p) => void savePng(`${name}.png`, p))));
}
