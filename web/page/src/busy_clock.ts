// While something is computed: the button that cancels it, and the seconds that it has taken.

const shown_after_ms = 500;
const hidden_after_ms = 100; // a pause between two calls of one computation is shorter

export class BusyClock {
  private workers = 0;
  private begin = 0;
  private timer = 0;
  private ticks = 0;

  constructor(private readonly button: HTMLElement, private readonly seconds: HTMLElement) {}

  // A worker begins or ends to compute.
  count(isBusy: boolean): void {
    this.workers += isBusy ? 1 : -1;
    if (this.workers > (isBusy ? 1 : 0)) return;
    clearTimeout(this.timer);
    if (!isBusy) this.timer = window.setTimeout(() => this.end(), hidden_after_ms);
    else if (this.button.hidden) {
      this.begin = performance.now();
      this.timer = window.setTimeout(() => this.show(), shown_after_ms);
    }
  }

  private show(): void {
    this.button.hidden = this.seconds.hidden = false;
    const tick = (): void => { this.seconds.textContent = `${Math.floor((performance.now() - this.begin) / 1000)} s`; };
    tick();
    this.ticks = window.setInterval(tick, 1000);
  }

  private end(): void {
    clearInterval(this.ticks);
    this.button.hidden = this.seconds.hidden = true;
  }
}
