// Sliders and fields of the explorer.

import { button, field, h, select } from "../../dom";
import { type Key, type KernelCounts, type Parameters, keys, parsed, ranges } from "./parameters";

export interface Controls {
  element: HTMLElement;
  show(p: Parameters): void; // without calling onChange
  offerKernels(kernels: KernelCounts[]): void;
  kernel(): KernelCounts | null; // with the present counts
}

export interface ControlEvents {
  onChange(p: Parameters): void;
  onWrong(message: string): void;
  onKernel(kernel: KernelCounts): void;
  onPin(): void;
  onReset(): void;
}

interface Pair {
  slider: HTMLInputElement;
  number: HTMLInputElement;
}

const typing_pause_ms = 300; // then a number counts as typed; Enter and leaving the field do not wait

// Calls `use` when the number is complete.
function whenTyped(number: HTMLInputElement, use: () => void): void {
  let timer = 0;
  const end = (): void => {
    if (number.dataset.pending === undefined) return;
    clearTimeout(timer);
    delete number.dataset.pending;
    use();
  };
  number.addEventListener("input", () => {
    clearTimeout(timer);
    number.dataset.pending = "";
    timer = window.setTimeout(end, typing_pause_ms);
  });
  number.addEventListener("change", end); // also Enter and the arrows
}

function pairOf(key: Key, onText: (key: Key, text: string, from: HTMLInputElement) => void): Pair & { row: HTMLElement } {
  const { label, hint, min, max, slider: end, preset } = ranges[key];
  const slider = h("input", { type: "range", min, max: end, value: preset, "aria-label": label, "data-key": key });
  const number = h("input", { type: "number", min, max, step: 1, value: preset, "aria-label": `${label}, as a number`, "data-key": key });
  slider.addEventListener("input", () => onText(key, slider.value, slider));
  whenTyped(number, () => onText(key, number.value, number));
  const row = h("div", { class: "parameter", title: hint }, h("span", { "aria-hidden": "true" }, label), slider, number);
  return { slider, number, row };
}

interface KernelChoice {
  element: HTMLSelectElement;
  offer(kernels: KernelCounts[]): void;
  kernel(): KernelCounts | null;
  mark(p: Parameters): void; // chooses the kernel that has the counts
}

function kernelChoice(onKernel: (kernel: KernelCounts) => void): KernelChoice {
  let offered: KernelCounts[] = [];
  const kernel = (): KernelCounts | null => (element.value === "" ? null : (offered[Number(element.value)] ?? null));
  const element = select([["", "own counts"]], "", () => {
    const chosen = kernel();
    if (chosen !== null) onKernel(chosen);
  });
  return {
    element,
    kernel,
    offer(list) {
      offered = list;
      element.replaceChildren(h("option", { value: "" }, "own counts"),
        ...list.map((k, i) => h("option", { value: i }, `${k.kernel}: ${k.xa} + ${k.xs} + ${k.xg}, ${k.warps} warps`)));
    },
    mark(p) {
      const hasCounts = (k: KernelCounts): boolean => k.warps === p.W && k.xa === p.xa && k.xs === p.xs && k.xg === p.xg;
      const chosen = kernel();
      if (chosen !== null && hasCounts(chosen)) return; // several kernels may have these counts
      const found = offered.findIndex(hasCounts);
      element.value = found < 0 ? "" : String(found);
    },
  };
}

export function controls(first: Parameters, events: ControlEvents): Controls {
  let now = { ...first };
  const pairs = new Map<Key, Pair>();
  const onText = (key: Key, text: string, from: HTMLInputElement): void => {
    const value = parsed(key, text);
    const { slider, number } = pairs.get(key)!;
    number.setAttribute("aria-invalid", String(typeof value === "string"));
    if (typeof value === "string") {
      events.onWrong(value);
      return;
    }
    if (from !== slider) slider.value = text;
    if (from !== number) {
      number.value = text;
      delete number.dataset.pending;
    }
    now = { ...now, [key]: value };
    kernels.mark(now);
    events.onChange(now);
  };
  const rows = keys.map((key) => {
    const { row, ...pair } = pairOf(key, onText);
    pairs.set(key, pair);
    return row;
  });
  const nets = select([["wpnm", "mended (wpnm)"], ["wpnm_literal", "as printed in the paper (wpnm_literal)"]], now.net, (net) => {
    now = { ...now, net: net as Parameters["net"] };
    events.onChange(now);
  });
  const kernels = kernelChoice(events.onKernel);
  const element = h("form", { class: "panel controls", "aria-label": "Parameters" },
    field("net", nets), ...rows,
    field("counts of a recorded kernel", kernels.element, "sets W, xa, xs and xg to those of a kernel that was profiled on an H200"),
    h("div", { class: "row" },
      button("Pin as baseline", events.onPin, { class: "primary" }),
      button("Reset", events.onReset)));
  element.addEventListener("submit", (event) => event.preventDefault());
  return {
    element,
    show(p) {
      now = { ...p };
      nets.value = p.net;
      for (const [key, { slider, number }] of pairs) {
        slider.value = number.value = String(p[key]);
        delete number.dataset.pending;
        number.removeAttribute("aria-invalid");
      }
      kernels.mark(p);
    },
    kernel: kernels.kernel,
    offerKernels(list) {
      kernels.offer(list);
      kernels.mark(now);
    },
  };
}
