// The table of launches.

import type { Context } from "../../context";
import { button, field, h, signed, significant } from "../../dom";
import { saveCsv } from "../../picture";
import { columns, filtered, noBottleneck, orderOf, rowOf, sorted, type Column, type Row } from "./rows";
import { gpusOf, pointKey, profiledOn, type Launch } from "./session";

const rowsOfAPage = 200;
const predictedColumns = ["predicted", "error", "bottleneck", "reason", "warnings", "grid", "block"];

export interface TableOptions {
  context: Context;
  launches: Launch[];
  device: string;
  beside: string | null; // a second GPU
  title: string;
  hrefOf: (launch: Launch) => string;
}

function cellOf(column: Column, row: Row): (Node | string)[] {
  const value = column.value(row);
  if (column.name === "warnings" && row.failure !== null) {
    return [h("details", { class: "failure" }, h("summary", {}, "not predicted"), h("pre", {}, row.failure))];
  }
  const isPending = ["beside", "times"].includes(column.name)
    ? !row.isBesideKnown
    : row.answer === undefined && predictedColumns.includes(column.name);
  if (isPending) {
    return [h("span", { class: "muted" }, "…")];
  }
  if (value === null) return [h("span", { class: "muted" }, column.name === "warnings" ? "" : "–")];
  if (column.name === "error") return [signed(100 * (value as number))];
  if (column.name === "bottleneck")
    return [
      `${row.bottleneck} `,
      h("span", { class: "muted" }, `${row.bottleneck === noBottleneck ? "busiest " : ""}${(100 * row.utilisation).toFixed(0)} %`),
    ];
  if (column.name === "times") return [(value as number).toFixed(2)];
  if (column.name === "predicted" || column.name === "known" || column.name === "beside")
    return [significant(value as number)];
  return [typeof value === "number" ? value.toLocaleString("en") : value];
}

// A long name breaks behind "::" and "_".
function breakable(name: string): (Node | string)[] {
  return name.split(/(?<=::|_)/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part]));
}

export class LaunchTable {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly count = h("span", { class: "muted", "aria-live": "polite" });
  private readonly heads = new Map<string, HTMLTableCellElement>();
  private readonly pager = h("div", { class: "row pager" });
  private readonly resume = h("span");
  private shownColumns: Column[];
  private first = 0;
  private timer = 0;

  constructor(private readonly options: TableOptions) {
    const { context, launches } = options;
    const hasIds = launches.some((launch) => launch.profilerId !== null);
    // The two columns of another GPU take the room of the reason.
    const hidden = options.beside === null ? ["beside", "times"] : ["reason"];
    // One GPU is in the title; several need a column.
    const gpus = gpusOf(launches);
    if (gpus.length < 2) hidden.push("gpu");
    const title = gpus.length === 1 ? `${options.title}, profiled on ${gpus[0]}` : options.title;
    this.shownColumns = columns.filter((column) => !hidden.includes(column.name) && (column.name !== "id" || hasIds));
    const filter = h("input", { type: "search", placeholder: "a word of the kernel, a unit, a warning", size: 34 });
    filter.value = context.state.get("filter") ?? "";
    filter.addEventListener("input", () => {
      context.state.set({ filter: filter.value === "" ? null : filter.value });
      this.first = 0;
      this.draw();
    });
    this.element = h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "row tablehead" },
        h("h2", {}, title),
        field("Filter", filter),
        this.count,
        this.resume,
        h(
          "span",
          { class: "push" },
          button("CSV", () => this.save(), { title: "Save the rows below as CSV" }),
        ),
      ),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Launches" },
        h(
          "table",
          { class: "launches" },
          h("caption", { class: "unseen" }, title),
          h("thead", {}, h("tr", {}, ...this.shownColumns.map((column) => this.headOf(column)))),
          this.body,
        ),
      ),
      this.pager,
    );
    this.body.addEventListener("click", (event) => this.open(event));
    this.draw();
  }

  // Draws soon: many predictions may arrive in a second.
  refresh(): void {
    if (this.timer === 0) this.timer = window.setTimeout(() => this.draw(), 300);
  }

  // A button that predicts the launches without a prediction; null: none.
  offer(predictRest: (() => void) | null): void {
    this.resume.replaceChildren(
      ...(predictRest === null ? [] : [button("Predict the rest", predictRest, { class: "primary" })]),
    );
    this.refresh();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private headOf(column: Column): HTMLTableCellElement {
    const head = h(
      "th",
      { scope: "col", class: column.isNumber ? "number" : null },
      button(this.titleOf(column), () => this.sortBy(column), { title: column.hint === "" ? null : column.hint }),
    );
    this.heads.set(column.name, head);
    return head;
  }

  // Shipped models have measured times, dropped ones profiled times.
  private titleOf(column: Column): string {
    if (column.name === "beside") return `on ${this.options.beside} µs`;
    return column.name === "known" && this.options.launches.every((launch) => launch.isShipped)
      ? "measured µs"
      : column.title;
  }

  private sortBy(column: Column): void {
    const order = orderOf(this.options.context.state.get("sort"));
    const next = order?.column !== column.name ? column.name : order.isDescending ? null : `-${column.name}`;
    this.options.context.state.set({ sort: next });
    this.first = 0;
    this.draw();
  }

  private rows(): Row[] {
    const { context, launches, device, beside } = this.options;
    const answer = (launch: Launch, gpu: string | null) =>
      gpu === null ? undefined : launch.predictions.get(pointKey(gpu));
    const all = launches.map((launch) => rowOf(launch, answer(launch, device), answer(launch, beside)));
    return sorted(filtered(all, context.state.get("filter") ?? ""), orderOf(context.state.get("sort")));
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const rows = this.rows();
    this.first = Math.min(this.first, Math.max(0, rows.length - 1));
    const focused =
      document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement)
        ? document.activeElement.dataset.key
        : undefined;
    const open = new Set([...this.body.querySelectorAll("details[open]")].map((d) => d.closest("tr")!.dataset.key));
    this.body.replaceChildren(
      ...rows.slice(this.first, this.first + rowsOfAPage).map((row) => this.rowElement(row, open)),
    );
    if (focused !== undefined) {
      [...this.body.querySelectorAll<HTMLElement>("a")]
        .find((a) => a.dataset.key === focused)
        ?.focus({ preventScroll: true });
    }
    this.count.textContent = this.summary(rows);
    this.drawOrder();
    this.drawPager(rows.length);
  }

  private summary(rows: Row[]): string {
    const { launches, beside } = this.options;
    const count = (n: number): string => n.toLocaleString("en");
    const sum = (time: (row: Row) => number | null): number => rows.reduce((all, row) => all + (time(row) ?? 0), 0);
    const total = sum((row) => row.predicted_us);
    const other = sum((row) => row.beside_us);
    return [
      rows.length === launches.length
        ? `${count(rows.length)} rows`
        : `${count(rows.length)} of ${count(launches.length)} rows`,
      ...(total > 0 ? [`${significant(total)} µs predicted in total`] : []),
      ...(other > 0 ? [`${significant(other)} µs on ${beside}`] : []),
    ].join(", ");
  }

  private rowElement(row: Row, open: Set<string | undefined>): HTMLTableRowElement {
    const key = row.launch.key;
    const element = h(
      "tr",
      { "data-key": key },
      ...this.shownColumns.map((column) => {
        if (column.name === "kernel") {
          return h(
            "th",
            { scope: "row", class: "kernel", title: row.launch.fullName },
            h("a", { href: this.options.hrefOf(row.launch), "data-key": key }, ...breakable(row.kernel)),
          );
        }
        return h("td", { class: column.isNumber ? "number" : column.name }, ...cellOf(column, row));
      }),
    );
    if (open.has(key)) element.querySelector("details")?.setAttribute("open", "");
    return element;
  }

  private drawOrder(): void {
    const order = orderOf(this.options.context.state.get("sort"));
    for (const [name, head] of this.heads) {
      if (order?.column === name) head.setAttribute("aria-sort", order.isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  private drawPager(rows: number): void {
    const last = Math.min(rows, this.first + rowsOfAPage);
    const go = (first: number) => () => {
      this.first = first;
      this.draw();
    };
    this.pager.hidden = rows <= rowsOfAPage;
    this.pager.replaceChildren(
      button("Previous", go(Math.max(0, this.first - rowsOfAPage)), { disabled: this.first === 0 }),
      h(
        "span",
        {},
        `Rows ${(this.first + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${rows.toLocaleString("en")}`,
      ),
      button("Next", go(this.first + rowsOfAPage), { disabled: last >= rows }),
    );
  }

  // A click anywhere on a row opens its launch.
  private open(event: Event): void {
    const target = event.target as Element;
    if (target.closest("a, details, button") !== null || String(getSelection()) !== "") return;
    target.closest("tr")?.querySelector("a")?.click();
  }

  private save(): void {
    const head = [
      "id",
      "kernel",
      "grid",
      "block",
      "predicted_us",
      "profiled_or_measured_us",
      "error",
      "beside_us",
      "bottleneck",
      "utilisation",
      "most_cycles",
      "warnings",
      "failure",
      "profiled_on",
    ];
    saveCsv(
      "launches.csv",
      head,
      this.rows().map((row) => [
        row.id,
        row.kernel,
        row.grid,
        row.block,
        row.predicted_us,
        row.known_us,
        row.error,
        row.beside_us,
        row.bottleneck,
        row.utilisation,
        row.reason,
        row.warnings.join(" "),
        row.failure,
        profiledOn(row.launch),
      ]),
    );
  }
}
