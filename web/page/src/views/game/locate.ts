// The part of a text that an error message names: "line 3, column 5", "line 3" or a path such as
// "/transitions/2/takes/pol" into JSON.

type Spot = [begin: number, end: number];

export function spotOf(text: string, message: string): Spot | null {
  const line = /line (\d+)(?:, column (\d+))?/.exec(message);
  if (line !== null) return lineSpot(text, Number(line[1]), line[2] === undefined ? null : Number(line[2]));
  const path = /(?:^|[\s:])(\/[^\s:]+)/.exec(message);
  return path === null ? null : pathSpot(text, path[1]!.slice(1).split("/"));
}

function lineSpot(text: string, line: number, column: number | null): Spot {
  let begin = 0;
  for (let i = 1; i < line; ++i) {
    const next = text.indexOf("\n", begin);
    if (next < 0) break;
    begin = next + 1;
  }
  const end = text.indexOf("\n", begin);
  if (column === null) return [begin, end < 0 ? text.length : end];
  const at = Math.min(text.length, begin + Math.max(0, column - 1));
  return [Math.max(0, at - 1), at];
}

// Reads JSON only as far as needed to find where the values lie.
class Scanner {
  private at = 0;
  constructor(private readonly text: string) {}

  // The deepest value on the path that is there.
  find(path: string[]): Spot | null {
    this.space();
    const begin = this.at;
    const open = this.text[begin];
    if (path.length > 0 && (open === "{" || open === "[")) {
      this.at++;
      for (let index = 0; this.at < this.text.length; ++index) {
        this.space();
        if (this.text[this.at] === "}" || this.text[this.at] === "]") break;
        let key = String(index);
        if (open === "{") {
          key = this.string();
          this.space();
          this.at++; // the colon
        }
        if (key === path[0]) return this.find(path.slice(1));
        this.skip();
        this.space();
        if (this.text[this.at] === ",") this.at++;
      }
      this.at = begin;
    }
    this.skip();
    return [begin, this.at];
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
  }

  private string(): string {
    const begin = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
    this.at++;
    try {
      return JSON.parse(this.text.slice(begin, this.at)) as string;
    } catch {
      return "";
    }
  }

  private skip(): void {
    this.space();
    const begin = this.at;
    for (let depth = 0; this.at < this.text.length;) {
      const c = this.text[this.at]!;
      if (c === '"') this.string();
      else {
        if (depth === 0 && this.at > begin && /[\s,}\]]/.test(c)) return;
        this.at++;
        if (c === "{" || c === "[") ++depth;
        else if (c === "}" || c === "]") --depth;
      }
      if (depth <= 0 && /["}\]]/.test(c)) return;
    }
  }
}

function pathSpot(text: string, path: string[]): Spot | null {
  return new Scanner(text).find(path);
}
