// Moving and enlarging a drawing by its viewBox: wheel with Ctrl, dragging, keys and buttons.

type Box = [x: number, y: number, width: number, height: number];

export class Zoom {
  private box: Box = [0, 0, 1, 1];
  constructor(private readonly svg: SVGSVGElement, private readonly whole: () => Box) {
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // the page scrolls
      event.preventDefault();
      const { left, top, width, height } = svg.getBoundingClientRect();
      this.by(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - left) / width, (event.clientY - top) / height);
    }, { passive: false });
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("pointerdown", (event) => this.drag(event));
  }

  fit(): void {
    this.set(this.whole());
  }

  by(factor: number, atX = 0.5, atY = 0.5): void {
    const [x, y, width, height] = this.box;
    const [, , most] = this.whole();
    const now = Math.min(most * 2, Math.max(most / 20, width * factor)) / width;
    this.set([x + width * (1 - now) * atX, y + height * (1 - now) * atY, width * now, height * now]);
  }

  private set(box: Box): void {
    this.box = box;
    this.svg.setAttribute("viewBox", box.map((v) => Number(v.toFixed(2))).join(" "));
  }

  private move(dx: number, dy: number): void {
    const [x, y, width, height] = this.box;
    this.set([x + dx * width, y + dy * height, width, height]);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act: Record<string, () => void> = {
      "+": () => this.by(1 / 1.25), "=": () => this.by(1 / 1.25), "-": () => this.by(1.25), "0": () => this.fit(),
      ArrowLeft: () => this.move(-0.1, 0), ArrowRight: () => this.move(0.1, 0),
      ArrowUp: () => this.move(0, -0.1), ArrowDown: () => this.move(0, 0.1),
    };
    if (!Object.hasOwn(act, event.key)) return;
    event.preventDefault();
    act[event.key]!();
  }

  private drag(event: PointerEvent): void {
    if (event.button !== 0) return;
    const scale = this.svg.getScreenCTM()?.a ?? 1;
    let [x, y] = [event.clientX, event.clientY];
    const move = (e: PointerEvent): void => {
      const [bx, by, width, height] = this.box;
      this.set([bx - (e.clientX - x) / scale, by - (e.clientY - y) / scale, width, height]);
      [x, y] = [e.clientX, e.clientY];
    };
    const end = (): void => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }
}
