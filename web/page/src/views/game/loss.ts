// The paper's net as it is drawn lets a warp end while an instruction is selected. The place p4
// (an instruction is selected) then keeps its token for ever: t1 needs p2, which t16 took.

import type { Game } from "./play";

export interface Loss {
  step: number; // the number of the step in which t16 fired; step 0 is the first
  warp: string;
  t16: number; // transition
  selected: number[]; // places that keep their tokens: p4 and the kind of the instruction
  instruction: string;
}

const kinds: [place: string, instruction: string][] = [
  ["p6", "an arithmetic instruction"], ["p8", "a shared memory access"], ["p10", "a global memory access"],
];

// Looking through the whole run for every warp takes too long for more.
const mostWarps = 256;

export class LossFinder {
  private readonly places: Map<string, number>;
  private ends: { t: number; warp: string }[];
  constructor(private readonly game: Game) {
    this.places = new Map(game.net.places.map((place, i) => [place.name, i]));
    this.ends = game.net.transitions
      .map((transition, t) => ({ t, found: /^t16\.(\d+)$/.exec(transition.name) }))
      .filter(({ found }) => found !== null).map(({ t, found }) => ({ t, warp: found![1]! }));
    if (this.ends.length > mostWarps) this.ends = [];
  }

  // All losses up to the step where the game is.
  find(): Loss[] {
    const { marking } = this.game.state;
    const tokens = (name: string): number => marking[this.places.get(name) ?? -1] ?? 0;
    const losses: Loss[] = [];
    for (const { t, warp } of this.ends) {
      if (tokens(`p1.${warp}`) > 0 || tokens(`p4.${warp}`) === 0) continue;
      const step = this.game.fired.findIndex((of_step) => of_step.includes(t));
      if (step < 0) continue;
      const kind = kinds.find(([place]) => tokens(`${place}.${warp}`) > 0);
      const selected = [`p4.${warp}`, ...(kind === undefined ? [] : [`${kind[0]}.${warp}`])];
      losses.push({ step, warp, t16: t, selected: selected.map((name) => this.places.get(name)!), instruction: kind?.[1] ?? "an instruction" });
    }
    return losses.sort((a, b) => a.step - b.step);
  }
}

export function lossText(loss: Loss, seed: number): string {
  const { warp, step, instruction } = loss;
  return `In step ${step} (seed ${seed}), t16.${warp} fired and ended warp ${warp} while p4.${warp} was marked: ${instruction} was ` +
    `selected and is never executed, because t16.${warp} took the token of p2.${warp} that t1.${warp} needs to schedule it. ` +
    "In the mended net (wpnm) t16 also takes the token of p3, which is there only while no instruction is selected.";
}
