// The messages about dropped files.

import { h } from "../../dom";
import type { Notice } from "./session";

export function noticePanels(notices: Notice[]): HTMLElement[] {
  const of = (kind: Notice["kind"]): Notice[] => notices.filter((notice) => notice.kind === kind);
  const list = (title: string, found: Notice[]): HTMLElement[] =>
    found.length === 0
      ? []
      : [
          h(
            "details",
            { class: "panel notice" },
            h("summary", {}, title),
            h("pre", {}, found.map((notice) => notice.text).join("\n")),
          ),
        ];
  const skipped = of("skipped").filter((notice) => /: launch \d+ /.test(notice.text)).length;
  return [
    ...of("error").map((notice) =>
      h("div", { class: "panel notice", role: "alert" }, h("pre", { class: "failure" }, notice.text)),
    ),
    ...of("hint").map((notice) => h("div", { class: "panel notice", role: "status" }, h("pre", {}, notice.text))),
    ...list(
      `${skipped.toLocaleString("en")} skipped ${skipped === 1 ? "launch" : "launches"}, with the reasons`,
      of("skipped"),
    ),
    ...list("Notes of the derivation", of("note")),
  ];
}
