// The order of nodes within their layers, with few crossings, and their heights.

type Joint = [number, number]; // nodes of neighbouring layers

function neighbours(count: number, joints: Joint[]): { before: number[][]; after: number[][] } {
  const before: number[][] = Array.from({ length: count }, () => []);
  const after: number[][] = Array.from({ length: count }, () => []);
  for (const [a, b] of joints) {
    before[b]!.push(a);
    after[a]!.push(b);
  }
  return { before, after };
}

function crossings(order: number[][], after: number[][], rank: number[]): number {
  let total = 0;
  for (const layer of order) {
    const ends = layer.flatMap((node) => after[node]!.map((to) => rank[to]!).sort((a, b) => a - b));
    for (let i = 0; i < ends.length; ++i) {
      for (let j = i + 1; j < ends.length; ++j) if (ends[i]! > ends[j]!) ++total;
    }
  }
  return total;
}

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

// Sweeps to the right and to the left, each layer sorted by the medians of its neighbours; the best
// order of all sweeps is kept.
export function crossingOrder(layer: number[], joints: Joint[]): number[][] {
  const least = Math.min(...layer, 0);
  let order: number[][] = [];
  layer.forEach((at, node) => (order[at - least] ??= []).push(node));
  order = Array.from(order, (nodes) => nodes ?? []);
  const { before, after } = neighbours(layer.length, joints);
  const rank = new Array<number>(layer.length).fill(0);
  const number = (nodes: number[]): void => nodes.forEach((node, i) => { rank[node] = i; });
  order.forEach(number);
  let best = order.map((nodes) => [...nodes]);
  let fewest = crossings(order, after, rank);
  const sweeps = layer.length > 1_500 ? 4 : 24;
  for (let sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
    const toRight = sweep % 2 === 0;
    for (const nodes of toRight ? order : [...order].reverse()) {
      const near = toRight ? before : after;
      const key = new Map(nodes.map((node) => [node, near[node]!.length > 0 ? median(near[node]!.map((n) => rank[n]!)) : rank[node]!]));
      nodes.sort((a, b) => key.get(a)! - key.get(b)!);
      number(nodes);
    }
    const now = crossings(order, after, rank);
    if (now < fewest) {
      fewest = now;
      best = order.map((nodes) => [...nodes]);
    }
  }
  return best;
}

// Moves each node towards the median of its neighbours and keeps the order and the distances.
export function heights(order: number[][], joints: Joint[], count: number, size: (node: number) => number): number[] {
  const { before, after } = neighbours(count, joints);
  const y = new Array<number>(count).fill(0);
  const gap = (a: number, b: number): number => (size(a) + size(b)) / 2;
  for (const nodes of order) nodes.forEach((node, i) => { y[node] = i === 0 ? 0 : y[nodes[i - 1]!]! + gap(nodes[i - 1]!, node); });
  for (let sweep = 0; sweep < 16; ++sweep) {
    for (const nodes of sweep % 2 === 0 ? order : [...order].reverse()) {
      const wish = nodes.map((node) => {
        const near = [...before[node]!, ...after[node]!];
        return near.length === 0 ? y[node]! : median(near.map((n) => y[n]!));
      });
      spread(nodes, wish, gap).forEach((at, i) => { y[nodes[i]!] = at; });
    }
  }
  return y;
}

// Heights in order, at least `gap` apart, near to what is wished: blocks of nodes that touch lie at
// the mean of their wishes.
function spread(nodes: number[], wish: number[], gap: (a: number, b: number) => number): number[] {
  const offset: number[] = [];
  nodes.forEach((node, i) => { offset[i] = i === 0 ? 0 : offset[i - 1]! + gap(nodes[i - 1]!, node); });
  const blocks: { sum: number; count: number }[] = [];
  wish.forEach((w, i) => {
    let block = { sum: w - offset[i]!, count: 1 };
    while (blocks.length > 0) {
      const last = blocks[blocks.length - 1]!;
      if (last.sum / last.count <= block.sum / block.count) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  });
  const base = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return base.map((b, i) => b + offset[i]!);
}
