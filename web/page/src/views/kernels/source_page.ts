// What the page itself reads of a source page: the SASS instructions of one launch with the
// profiler's samples. The first call reads the whole file once to find its tables.

import type { DroppedFile } from "../../context";
import { cellsOf } from "./raw_page";

export interface SourceTable {
  name: string;
  line: number; // of the row "Kernel Name", from 0
  end: number; // the line behind its last one
  executed: number; // the sum of Instructions Executed
  hash: number; // of its rows
}

export interface Instruction {
  text: string;
  executed: number;
  samples: number; // of warps, by the profiler
}

// Calls onLine with every line until it returns false.
async function eachLine(
  file: DroppedFile,
  encoding: string,
  onLine: (line: string, number: number) => boolean,
): Promise<void> {
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  let rest = "";
  let number = 0;
  for (;;) {
    const { done, value } = await reader.read();
    const text = rest + decoder.decode(value ?? new Uint8Array(), { stream: !done });
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      if (!onLine(text.slice(start, end), number++)) return reader.cancel();
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > 1 << 24) return reader.cancel();
    if (done) {
      if (rest !== "") onLine(rest, number);
      return;
    }
  }
}

// Cells before the wanted one are not read: pages have 60 columns and 200,000 rows.
function cellAt(line: string, column: number, separator: string): string {
  if (!line.startsWith('"')) return cellsOf(line, separator)[column] ?? "";
  const between = `"${separator}"`;
  let start = 1;
  for (let i = 0; i < column; ++i) {
    const next = line.indexOf(between, start);
    if (next < 0) return "";
    start = next + 3;
  }
  const end = line.indexOf('"', start);
  return end < 0 ? line.slice(start) : line.slice(start, end);
}

const count = (cell: string): number => Number(cell.replaceAll(",", "")) || 0;

function hashOf(line: string, hash: number): number {
  for (let i = 0; i < line.length; i += 3) hash = Math.imul(hash ^ line.charCodeAt(i), 16777619);
  return hash;
}

const separatorOf = (line: string): string => /^"?(?:Kernel Name|Address|#|Source)"?([,;\t])/.exec(line)?.[1] ?? ",";

export async function tablesOf(
  file: DroppedFile,
  encoding: string,
  onLines: (lines: number) => void,
): Promise<SourceTable[]> {
  const tables: SourceTable[] = [];
  let executed = -1;
  let separator = ",";
  await eachLine(file, encoding, (line, number) => {
    if (number % 20_000 === 0) onLines(number);
    const table = tables.at(-1);
    if (/^\uFEFF?"?Kernel Name"?[,;\t]/.test(line)) {
      separator = separatorOf(line);
      tables.push({
        name: cellsOf(line, separator)[1] ?? "",
        line: number,
        end: number + 1,
        executed: 0,
        hash: 2166136261,
      });
      executed = -1;
    } else if (table !== undefined && executed < 0) {
      executed = cellsOf(line, separator).indexOf("Instructions Executed");
      table.end = number + 1;
    } else if (table !== undefined && line !== "") {
      table.executed += count(cellAt(line, executed, separator));
      table.hash = hashOf(line, table.hash);
      table.end = number + 1;
    }
    return true;
  });
  return tables;
}

// "void a::<unnamed>::f<int, (int)4>(T1 *)" -> "f": pages write the rest in different ways.
function shortName(name: string): string {
  let depth = 0;
  let plain = "";
  for (const letter of name) {
    if (letter === "<" || letter === "(") ++depth;
    else if (letter === ">" || letter === ")") --depth;
    else if (depth === 0) plain += letter;
  }
  return (
    plain
      .trim()
      .split(/::|\s/)
      .filter((part) => part !== "")
      .at(-1) ?? name
  );
}

function areSame(a: string, b: string): boolean {
  const [x, y] = [shortName(a), shortName(b)];
  return x === y || (x.startsWith("_Z") && x.includes(y)) || (y.startsWith("_Z") && y.includes(x));
}

export interface Wanted {
  name: string;
  instructions: number | null; // executed by all warps
}

// The table of each launch: in order, by name and sum, as the command does it. A page has one table
// of a launch or two equal ones. Sums of launches whose warps wait for each other differ.
export function matchTables(tables: SourceTable[], launches: Wanted[]): (SourceTable | null)[] {
  let next = 0;
  return launches.map(({ name, instructions }, i) => {
    if (instructions === null) return null;
    const spare = (): number => tables.length - next - (launches.length - i);
    const last = Math.min(tables.length - 1, next + Math.max(0, spare()));
    for (let j = next; j <= last; ++j) {
      const table = tables[j]!;
      if (Math.abs(table.executed - instructions) > 0.5 * instructions || !areSame(table.name, name)) continue;
      next = j + 1;
      if (next < tables.length && tables[next]!.hash === table.hash && spare() > 0) ++next;
      return table;
    }
    return null;
  });
}

// null: the page has no samples.
export async function instructionsOf(
  file: DroppedFile,
  encoding: string,
  table: SourceTable,
): Promise<Instruction[] | null> {
  const found: Instruction[] = [];
  let columns = [-1, -1, -1];
  let separator = ",";
  await eachLine(file, encoding, (line, number) => {
    if (number < table.line) return true;
    if (number >= table.end) return false;
    if (number === table.line) separator = separatorOf(line);
    else if (number === table.line + 1) {
      const head = cellsOf(line, separator);
      columns = ["Source", "Instructions Executed", "# Samples"].map((name) => head.indexOf(name));
      if (columns[2] === -1) columns[2] = head.indexOf("Warp Stall Sampling (All Samples)");
    } else if (columns[2] !== -1) {
      const cells = cellsOf(line, separator);
      const [text, executed, samples] = columns.map((column) => cells[column] ?? "") as [string, string, string];
      found.push({ text: text.trim(), executed: count(executed), samples: count(samples) });
    }
    return true;
  });
  return columns[2] === -1 ? null : found;
}
