// Where a grid of values crosses zero: marching squares with linear interpolation.

export type Segment = [x1: number, y1: number, x2: number, y2: number]; // in units of cells

type Crossing = [x: number, y: number];

// Values at the corners of a cell, in the order (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1).
function crossings(corner: number[], x: number, y: number): Crossing[] {
  const places: Crossing[] = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
  const found: Crossing[] = [];
  for (let i = 0; i < 4; ++i) {
    const a = corner[i]!;
    const b = corner[(i + 1) % 4]!;
    if (a < 0 === b < 0) continue;
    const share = a / (a - b);
    const [from, to] = [places[i]!, places[(i + 1) % 4]!];
    found.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
  }
  return found;
}

// rows[y][x]; null where there is no value.
export function zeroLine(rows: (number | null)[][]): Segment[] {
  const segments: Segment[] = [];
  for (let y = 0; y + 1 < rows.length; ++y) {
    for (let x = 0; x + 1 < rows[y]!.length; ++x) {
      const corner = [rows[y]![x], rows[y]![x + 1], rows[y + 1]![x + 1], rows[y + 1]![x]];
      if (corner.some((v) => v === null || v === undefined)) continue;
      const found = crossings(corner as number[], x, y);
      for (let i = 0; i + 1 < found.length; i += 2) segments.push([...found[i]!, ...found[i + 1]!]);
    }
  }
  return segments;
}
