// The buttons that move the game: reset, back, forward, play and pause, speed, go to a step.

import { button, field, h } from "../../dom";

export interface Moves {
  goTo(step: number): Promise<void>;
  step(): number;
  isOver(): boolean;
  onPause(): void;
}

const speeds = [0.5, 1, 2, 4, 8, 16, 32]; // steps a second

export class Transport {
  readonly element: HTMLElement;
  private readonly reset: HTMLButtonElement;
  private readonly back: HTMLButtonElement;
  private readonly forward: HTMLButtonElement;
  private readonly play: HTMLButtonElement;
  private readonly speed = h("input", { type: "range", min: 0, max: speeds.length - 1, step: 1, value: 3 });
  private readonly target = h("input", { type: "number", min: 0, step: 1, value: 0 });
  private readonly steps = h("strong", { class: "steps" });
  private readonly outcome = h("span", { class: "outcome muted" });
  private readonly speedText = h("span", { class: "speed muted" });
  private timer = 0;
  private isPlaying = false;

  constructor(private readonly moves: Moves) {
    this.reset = button("Reset", () => void this.move(0), { title: "Go back to the initial marking" });
    this.back = button("◀ Back", () => void this.move(moves.step() - 1), { title: "Take one maximal step back" });
    this.forward = button("Step ▶", () => void this.move(moves.step() + 1), { class: "primary", title: "Make one maximal step" });
    this.play = button("Play", () => this.toggle(), { "aria-pressed": "false" });
    this.speed.addEventListener("input", () => this.showSpeed());
    const form = h("form", { class: "row go" }, field("steps to have done", this.target), h("button", { type: "submit" }, "Go"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const step = Number(this.target.value);
      if (this.target.value !== "" && Number.isSafeInteger(step) && step >= 0) void this.move(step);
      else this.target.value = String(moves.step());
    });
    this.element = h("div", { class: "row controls transport", role: "group", "aria-label": "Move the game" },
      this.reset, this.back, this.forward, this.play,
      h("div", { class: "field" }, h("label", { for: "game-speed" }, "speed: ", this.speedText), this.speed),
      form, h("p", { class: "now" }, this.steps, " ", this.outcome));
    this.speed.id = "game-speed";
    this.showSpeed();
  }

  private get stepsPerSecond(): number {
    return speeds[Number(this.speed.value)] ?? 4;
  }

  private showSpeed(): void {
    this.speedText.textContent = `${this.stepsPerSecond} ${this.stepsPerSecond === 1 ? "step" : "steps"}/s`;
    this.speed.setAttribute("aria-valuetext", this.speedText.textContent);
  }

  private move(step: number): Promise<void> {
    this.pause();
    return this.moves.goTo(step);
  }

  private toggle(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    this.isPlaying = true;
    this.showPlaying();
    void this.tick();
  }

  private async tick(): Promise<void> {
    if (!this.isPlaying) return;
    if (this.moves.isOver()) {
      this.pause();
      return;
    }
    const begin = performance.now();
    const before = this.moves.step();
    await this.moves.goTo(before + 1);
    if (this.moves.step() === before) {
      this.pause();
      return;
    }
    const left = 1000 / this.stepsPerSecond - (performance.now() - begin);
    if (this.isPlaying) this.timer = window.setTimeout(() => void this.tick(), Math.max(0, left));
  }

  pause(): void {
    clearTimeout(this.timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.showPlaying();
    this.moves.onPause();
  }

  private showPlaying(): void {
    this.play.textContent = this.isPlaying ? "Pause" : "Play";
    this.play.setAttribute("aria-pressed", String(this.isPlaying));
  }

  show(step: number, isOver: boolean, outcome: string): void {
    this.steps.textContent = step === 1 ? "1 step done" : `${step.toLocaleString("en")} steps done`;
    this.outcome.textContent = outcome;
    this.target.value = String(step);
    this.reset.disabled = this.back.disabled = step === 0;
    this.forward.disabled = this.play.disabled = isOver;
  }
}
