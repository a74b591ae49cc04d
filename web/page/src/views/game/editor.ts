// A net as text: written or changed by hand, and loaded. An error is shown below the text, and the
// part of the text that it names is selected.

import { button, h } from "../../dom";
import { spotOf } from "./locate";

const example = `{
  "kind": "net",
  "name": "two workers",
  "places": [
    {"name": "pool", "tokens": 1},
    {"name": "todo.0", "tokens": 2},
    {"name": "todo.1", "tokens": 2},
    {"name": "done"}
  ],
  "transitions": [
    {"name": "wait", "takes": {"pool": 1}, "gives": {"pool": 1}, "inhibited_by": ["todo.0", "todo.1"]},
    {"name": "work.0", "takes": {"pool": 1, "todo.0": 1}, "gives": {"pool": 1, "done": 3}},
    {"name": "work.1", "takes": {"pool": 1, "todo.1": 1}, "gives": {"pool": 1, "done": 3}}
  ],
  "until": ["todo=0"]
}
`;

const longest_text = 500_000; // a text area with more than this is slow

export class Editor {
  readonly element: HTMLDetailsElement;
  private readonly area = h("textarea", { rows: 16, spellcheck: "false", class: "mono", id: "net-text" });
  private readonly fault = h("p", { class: "failure", role: "alert" });

  // `load` returns the error's message, or "".
  constructor(private readonly load: (text: string) => Promise<string>, present: () => string) {
    this.element = h("details", { class: "panel editor" },
      h("summary", {}, "Edit the net as text"),
      h("label", { for: "net-text", class: "muted" },
        "A net or a net template as JSON, or a net as PNML. p4.0, p4.1 ... are instances of p4 and are drawn folded."),
      this.area, this.fault,
      h("div", { class: "row" },
        button("Load this text", () => void this.apply(), { class: "primary" }),
        button("Take the present net", () => this.put(present())),
        button("Take a small example", () => this.put(example))));
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.apply();
    });
    this.element.addEventListener("toggle", () => {
      if (this.element.open && this.area.value === "") this.put(present());
    });
  }

  private put(text: string): void {
    this.fault.textContent = text.length > longest_text ? "The present net is too long to be edited here; change its file." : "";
    if (text.length <= longest_text) this.area.value = text;
  }

  private async apply(): Promise<void> {
    const text = this.area.value;
    const message = await this.load(text);
    this.fault.textContent = message;
    if (message === "" || this.area.value !== text) return;
    const spot = spotOf(text, message);
    if (spot === null) return;
    this.area.focus();
    this.area.setSelectionRange(spot[0], spot[1]);
    const before = text.slice(0, spot[0]).split("\n").length;
    const lines = text.split("\n").length;
    this.area.scrollTop = Math.max(0, (before / lines) * this.area.scrollHeight - this.area.clientHeight / 2);
  }
}
