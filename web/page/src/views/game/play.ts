// A game with the engine: the marking, what fired in every step so far, forwards and backwards. The
// engine keeps the history too; when it was replaced (the user cancelled something) the net is
// opened again and the steps are repeated, which gives the same marking: the draws depend only on
// the seed and the number of the step.

import type { GameState, OpenedNet, OpenNetRequest } from "../../../../engine/engine";
import { Cancelled, type Engine, isFailure } from "../../engine_client";

// Steps of one call: the page shows progress and can be stopped between calls.
const stepsOfCall = 2_000;

// What fired is kept to be shown and saved; more would take gigabytes of the browser's memory.
const most_steps = 1_000_000;
const most_firings = 5_000_000;

export class Game {
  readonly fired: number[][] = []; // [step] transitions
  private firings = 0;
  private ended = false;
  private constructor(
    private readonly engine: Engine, private readonly request: OpenNetRequest, readonly net: OpenedNet,
    private number: number, readonly seed: number, public state: GameState,
  ) {}

  // Fails with an Error that has the engine's message.
  static async open(engine: Engine, request: OpenNetRequest, seed: number): Promise<Game> {
    const net = checked(await engine.openNet(request));
    const state = checked(await engine.step(net.game, { seed, steps: 0 }));
    return new Game(engine, request, net, net.game, seed, state);
  }

  close(): void {
    this.ended = true;
    this.engine.closeNet(this.number).catch(() => undefined);
  }

  get isOver(): boolean {
    return this.state.outcome !== "running";
  }

  // Goes to `step` or as far as the run goes. `onProgress` returns false to stop on the way.
  async goTo(step: number, onProgress: (step: number) => boolean = () => true): Promise<void> {
    if (step < this.state.step) await this.back(this.state.step - step);
    while (this.state.step < step && !this.isOver && !this.ended) {
      if (this.state.step >= most_steps || this.firings >= most_firings) {
        throw new Error(`The token game keeps ${most_steps.toLocaleString("en")} steps and ${most_firings.toLocaleString("en")} firings; ` +
          "`pnsim run` simulates longer runs.");
      }
      await this.forward(Math.min(stepsOfCall, step - this.state.step));
      if (!onProgress(this.state.step)) return;
    }
  }

  private async forward(steps: number): Promise<void> {
    const state = await this.kept(() => this.engine.step(this.number, { seed: this.seed, steps }));
    for (const of_step of state.fired) {
      this.fired.push(of_step);
      this.firings += of_step.length;
    }
    this.state = state;
  }

  private async back(steps: number): Promise<void> {
    this.state = await this.kept(() => this.engine.back(this.number, steps));
    for (const of_step of this.fired.splice(this.state.step)) this.firings -= of_step.length;
  }

  // Calls; when the engine was replaced meanwhile, opens the net again where the game was and calls
  // once more. A call that was cancelled itself is not repeated.
  private async kept(call: () => Promise<GameState | { error: string }>): Promise<GameState> {
    let answer: GameState | { error: string };
    try {
      answer = await call();
    } catch (error) {
      if (error instanceof Cancelled) await this.reopen();
      throw error;
    }
    if (isFailure(answer) && /is not open/.test(answer.error)) {
      await this.reopen();
      answer = await call();
    }
    return checked(answer);
  }

  private async reopen(): Promise<void> {
    const at = this.state.step;
    this.number = checked(await this.engine.openNet(this.request)).game;
    for (let step = 0; step < at; step += stepsOfCall) {
      checked(await this.engine.step(this.number, { seed: this.seed, steps: Math.min(stepsOfCall, at - step) }));
    }
  }
}

function checked<T extends object>(answer: T | { error: string }): T {
  if (isFailure(answer)) throw new Error(answer.error);
  return answer as T;
}

// By place: the tokens that the last step added or took away.
export function lastChange(game: Game): number[] {
  const change = new Array<number>(game.net.places.length).fill(0);
  for (const t of game.fired[game.state.step - 1] ?? []) {
    const { inputs, outputs } = game.net.transitions[t]!;
    for (const [place, weight] of inputs) change[place]! -= weight;
    for (const [place, weight] of outputs) change[place]! += weight;
  }
  return change;
}
