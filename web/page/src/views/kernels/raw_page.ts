// What the page itself reads of a raw page: the profiler's name and stall reasons of each launch.
// The rest is the command's. The file is read in chunks, so the page stays responsive.

import type { DroppedFile } from "../../context";

export interface RawLaunch {
  id: number;
  name: string;
  instructions: number | null; // executed by all warps
  stalls: Map<string, number> | null;
}

// Cells of CSV, chunk by chunk. Rows that are longer than 16 MB are no page.
export class CsvReader {
  private rest = "";
  constructor(
    private readonly separator: string,
    private readonly onRow: (cells: string[]) => void,
  ) {}

  push(text: string, isLast: boolean): void {
    const all = this.rest + text;
    let start = 0;
    for (;;) {
      const end = rowEnd(all, start);
      if (end < 0) break;
      this.onRow(cellsOf(all.slice(start, end), this.separator));
      start = end + 1;
    }
    this.rest = all.slice(start);
    if (this.rest.length > 1 << 24) throw new Error("a row has more than 16 MB: this is no page of Nsight Compute");
    if (isLast && this.rest.trim() !== "") this.onRow(cellsOf(this.rest, this.separator));
  }
}

// The end of line that is not between quotes; -1 if the row is incomplete.
function rowEnd(text: string, start: number): number {
  let from = start;
  let isQuoted = false;
  for (;;) {
    const end = text.indexOf("\n", from);
    if (end < 0) return -1;
    for (let q = text.indexOf('"', from); q >= 0 && q < end; q = text.indexOf('"', q + 1)) isQuoted = !isQuoted;
    if (!isQuoted) return end;
    from = end + 1;
  }
}

export function cellsOf(row: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  const line = row.endsWith("\r") ? row.slice(0, -1) : row;
  while (at <= line.length) {
    if (line[at] === '"') {
      let text = "";
      let end = at + 1;
      for (;;) {
        const quote = line.indexOf('"', end);
        if (quote < 0) return [...cells, text + line.slice(end)];
        text += line.slice(end, quote);
        if (line[quote + 1] !== '"') {
          at = quote + 1;
          break;
        }
        text += '"';
        end = quote + 2;
      }
      cells.push(text);
      at = line[at] === separator ? at + 1 : line.length + 1;
    } else {
      const end = line.indexOf(separator, at);
      cells.push(end < 0 ? line.slice(at) : line.slice(at, end));
      at = end < 0 ? line.length + 1 : end + 1;
    }
  }
  return cells;
}

const stallColumn = /^smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio$/;
// Samples of warps: what a page has without the section WarpStateStats.
const sampleColumn = /^smsp__pcsamp_warps_issue_stalled_(\w+?)(_not_issued)?$/;

function stallColumns(cells: string[], pattern: RegExp): [column: number, reason: string][] {
  const found: [number, string][] = [];
  cells.forEach((cell, column) => {
    const match = pattern.exec(cell);
    if (match !== null && match[2] === undefined)
      found.push([column, match[1]!.replace("no_instructions", "no_instruction")]);
  });
  return found;
}

function numberOf(cell: string, separator: string): number {
  const plain = separator === "," ? cell.replaceAll(",", "") : cell.replaceAll(".", "").replace(",", ".");
  return Number(cell.includes(",") ? plain : cell);
}

class RawRows {
  readonly launches: RawLaunch[] = [];
  private id = -1;
  private name = -1;
  private executed = -1;
  private stalls: [column: number, reason: string][] = [];
  constructor(
    private readonly separator: string,
    private readonly most: number,
  ) {}

  take(cells: string[]): void {
    if (this.id < 0) {
      if (!cells.includes("ID") || !cells.includes("Kernel Name")) return;
      this.id = cells.indexOf("ID");
      this.name = cells.indexOf("Kernel Name");
      this.executed = cells.indexOf("smsp__inst_executed.sum");
      this.stalls = stallColumns(cells, stallColumn);
      if (this.stalls.length === 0) this.stalls = stallColumns(cells, sampleColumn);
      return;
    }
    const id = numberOf(cells[this.id] ?? "", this.separator);
    if (!Number.isInteger(id) || (cells[this.id] ?? "").trim() === "") return; // the row of units
    if (this.launches.length === this.most) {
      throw new Error(
        `the page has more than ${this.most.toLocaleString("en")} launches. ` +
          "Export fewer of them: ncu --import report.ncu-rep --launch-count 1000 --page raw --csv > raw.csv",
      );
    }
    const executed = numberOf(cells[this.executed] ?? "", this.separator);
    this.launches.push({
      id,
      name: cells[this.name] ?? "",
      instructions: executed > 0 ? executed : null,
      stalls: this.sharesOf(cells),
    });
  }

  private sharesOf(cells: string[]): Map<string, number> | null {
    const values = this.stalls.map(([column, reason]): [string, number] => [
      reason,
      numberOf(cells[column] ?? "", this.separator),
    ]);
    const sum = values.reduce((total, [, value]) => total + (value > 0 ? value : 0), 0);
    return sum > 0 ? new Map(values.map(([reason, value]) => [reason, value > 0 ? value / sum : 0])) : null;
  }
}

// Fails with an Error if the page has more than `most` launches.
export async function readRawPage(
  file: DroppedFile,
  encoding: string,
  most: number,
  onProgress: (done_bytes: number) => void,
): Promise<RawLaunch[]> {
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  let rows: RawRows | null = null;
  let csv: CsvReader | null = null;
  let done_bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    const text = decoder.decode(value ?? new Uint8Array(), { stream: !done });
    if (csv === null) {
      const separator = /"?ID"?([,;\t])/.exec(text)?.[1] ?? ",";
      const taker = new RawRows(separator, most);
      rows = taker;
      csv = new CsvReader(separator, (cells) => taker.take(cells));
    }
    try {
      csv.push(text, done);
    } catch (error) {
      await reader.cancel();
      throw error;
    }
    if (done) return rows!.launches;
    done_bytes += value.length;
    onProgress(done_bytes);
  }
}
