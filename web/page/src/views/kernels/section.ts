// A part of the page that is computed after the page is shown.

import { button, h } from "../../dom";
import { Cancelled } from "../../engine_client";

export class Section {
  readonly element: HTMLElement;

  constructor(
    readonly name: string,
    private readonly make: (again: () => void) => Promise<HTMLElement | null>,
  ) {
    this.element = h("div", { "data-section": name }, this.panel(h("p", { class: "muted" }, "Computing ...")));
  }

  private panel(...children: HTMLElement[]): HTMLElement {
    return h("section", { class: "panel" }, h("h3", {}, this.name), ...children);
  }

  // false: the user cancelled it.
  async compute(): Promise<boolean> {
    try {
      const made = await this.make(() => void this.compute());
      this.element.hidden = made === null;
      if (made !== null) this.element.replaceChildren(made);
      return true;
    } catch (error) {
      const isCancelled = error instanceof Cancelled;
      this.offer(
        isCancelled ? "Cancelled." : error instanceof Error ? error.message : String(error),
        isCancelled ? "muted" : "failure",
      );
      return !isCancelled;
    }
  }

  // A message, and a button that computes it.
  offer(message: string, kind: string): void {
    this.element.replaceChildren(
      this.panel(
        h("p", { class: kind }, message),
        button("Compute it", () => {
          this.element.replaceChildren(this.panel(h("p", { class: "muted" }, "Computing ...")));
          void this.compute();
        }),
      ),
    );
  }
}
