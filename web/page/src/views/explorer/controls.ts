// Sliders and fields of the explorer.

import { button, field, h, select } from "../../dom";
import { type Key, type KernelCounts, type Parameters, keys, parsed, ranges } from "./parameters";

export interface Controls {
  element: HTMLElement;
  show(p: Parameters): void; // without calling onChange
  offerKernels(kernels: KernelCounts[]): void;
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

function pairOf(key: Key, onText: (key: Key, text: string, from: HTMLInputElement) => void): Pair & { row: HTMLElement } {
  const { label, hint, min, max, slider: end, preset } = ranges[key];
  const slider = h("input", { type: "range", min, max: end, value: preset, "aria-label": label, "data-key": key });
  const number = h("input", { type: "number", min, max, step: 1, value: preset, "aria-label": `${label}, as a number`, "data-key": key });
  slider.addEventListener("input", () => onText(key, slider.value, slider));
  number.addEventListener("input", () => onText(key, number.value, number));
  const row = h("div", { class: "parameter", title: hint }, h("span", { "aria-hidden": "true" }, label), slider, number);
  return { slider, number, row };
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
    if (from !== number) number.value = text;
    now = { ...now, [key]: value };
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
  const kernels = select([["", "own counts"]], "", () => {});
  const element = h("form", { class: "panel controls", "aria-label": "Parameters" },
    field("net", nets), ...rows,
    field("counts of a recorded kernel", kernels, "sets W, xa, xs and xg to those of a kernel that was profiled on an H200"),
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
        number.removeAttribute("aria-invalid");
      }
    },
    offerKernels(list) {
      kernels.replaceChildren(h("option", { value: "" }, "own counts"),
        ...list.map((k, i) => h("option", { value: i }, `${k.kernel}: ${k.xa} + ${k.xs} + ${k.xg}, ${k.warps} warps`)));
      kernels.onchange = () => {
        const kernel = list[Number(kernels.value)];
        if (kernels.value !== "" && kernel !== undefined) events.onKernel(kernel);
      };
    },
  };
}
