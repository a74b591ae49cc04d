// The token game: a net that is drawn, stepped forwards and backwards, and played.

import type { Context, DroppedFile, View } from "../context";
import { h } from "../dom";
import { Cancelled } from "../engine_client";
import { sizeText } from "../files";
import { Editor } from "./game/editor";
import { faultsOf, reserved, wholeNumber } from "./game/link";
import { LossFinder, lossText } from "./game/loss";
import { foldedNet } from "./game/net";
import { Panel } from "./game/panel";
import { Game } from "./game/play";
import { Setup } from "./game/setup";
import { lossRun, packed, paperNets, paperSource, readText, refuseLarge, requestOf, type Source, sourceOf, unpacked } from "./game/source";
import { Stage } from "./game/stage";
import { plain } from "./game/text";
import { Transport } from "./game/transport";
import { wrongFile } from "./game/wrong_file";

const most_steps_for_loss = 1_000;
const address_pause_ms = 300; // browsers limit how often the address may change

const outcomes: Record<string, string> = {
  goal: "The goal is reached", dead: "The net is dead: no transition is enabled",
  fixed: "The marking cannot change any more", running: "Running",
};

class GameView {
  private game: Game | null = null;
  private source: Source | null = null;
  private losses: LossFinder | null = null;
  private work: Promise<void> = Promise.resolve();
  private isClosed = false;
  private addressTimer = 0;
  private stopAt = 0; // counts the moves that the user asked for: a new one ends a long one
  private readonly fault = h("p", { class: "failure fault", role: "alert" });
  private readonly explanation = h("p", { class: "explanation", role: "status" });
  private readonly printed = h("p", { class: "printed" });
  private readonly setup: Setup;
  private readonly transport: Transport;
  private readonly stage: Stage;
  private readonly panel: Panel;
  private readonly body = h("div", { class: "columns" });

  constructor(private readonly root: HTMLElement, private readonly context: Context) {
    this.setup = new Setup({
      chooseNet: (id) => this.queue(() => this.choosePaper(id)),
      change: (parameters, seed) => this.queue(() => this.change(parameters, seed)),
      fault: (message) => this.complain(message),
      openFile: () => context.chooseFiles(),
      showLoss: () => this.queue(() => this.showLoss()),
    });
    this.transport = new Transport({
      goTo: (step) => this.goTo(step), step: () => this.game?.state.step ?? 0,
      isOver: () => this.game?.isOver ?? true, onPause: () => this.writeStep(),
    });
    this.stage = new Stage(context.state);
    this.panel = new Panel(context.state);
    const editor = new Editor((text) => this.loadText(text), () => this.source?.text ?? "");
    this.body.append(this.stage.element, this.panel.element);
    root.append(this.setup.element, this.printed, this.transport.element, this.fault, this.explanation, this.body, editor.element);
    this.body.hidden = this.transport.element.hidden = true;
    context.onFiles((files) => this.queue(() => this.openFile(files)));
    context.state.onChange(() => this.queue(() => this.restore()));
    this.queue(() => this.restore());
  }

  close(): void {
    this.isClosed = true;
    this.transport.pause();
    clearTimeout(this.addressTimer);
    this.game?.close();
    this.root.replaceChildren();
  }

  // One thing after another: the game has one state. A fault is shown and the game before goes on.
  private queue(act: () => Promise<void>): void {
    this.transport?.pause();
    ++this.stopAt;
    void this.inTurn(act);
  }

  private inTurn(act: () => Promise<void>): Promise<void> {
    this.work = this.work.then(async () => {
      if (this.isClosed) return;
      try {
        await act();
      } catch (error) {
        if (this.isClosed) return;
        if (error instanceof Cancelled) this.draw();
        else this.complain(messageOf(error));
      }
    });
    return this.work;
  }

  private complain(message: string): void {
    this.fault.textContent = message;
    this.context.say("");
  }

  // What the address says. A link that cannot be followed leaves the default net.
  private async restore(): Promise<void> {
    const { state } = this.context;
    const id = state.get("net") ?? "wpnm";
    const seed = wholeNumber(state.get("seed")) ?? 1;
    const step = wholeNumber(state.get("step")) ?? 0;
    this.panel.readState();
    let [source, problem]: [Source | null, string] = [null, ""];
    if (id === "own") {
      try {
        source = sourceOf(state.get("title") ?? "net of the link", await unpacked(state.get("text") ?? ""));
      } catch {
        source = null;
      }
      if (source === null || source.text === "") {
        problem = "The net of this link was in a file, which is not part of the link. Open the file again.";
        source = null;
      }
    } else if (!paperNets.some((name) => name === id)) {
      problem = `The link names the net ${plain(id, 60)}; known: wpnm, wpnm_literal.`;
    }
    source ??= await paperSource(this.context.engine, id === "wpnm_literal" ? id : "wpnm");
    for (const parameter of source.parameters) parameter.value = wholeNumber(state.get(parameter.name)) ?? parameter.value;
    try {
      await this.open(source, seed, problem === "" ? step : 0, false);
    } catch (error) {
      if (this.game !== null || error instanceof Cancelled) throw error;
      problem = messageOf(error);
      await this.open(await paperSource(this.context.engine, "wpnm"), 1, 0, false);
    }
    if (this.isClosed) return; // the messages would stand over the next view
    if (problem !== "") this.complain(problem);
    else this.context.misread(faultsOf(state, source, this.stageNet().instances));
  }

  // Replaces the game. Nothing changes if the engine refuses the net.
  private async open(source: Source, seed: number, step: number, writes = true): Promise<void> {
    const game = await Game.open(this.context.engine, requestOf(source), seed);
    if (this.isClosed) {
      game.close();
      return;
    }
    const keepsView = !writes || (this.source?.id === source.id && source.id !== "own");
    this.game?.close();
    [this.game, this.source] = [game, source];
    this.losses = source.id === "own" ? null : new LossFinder(game);
    if (!keepsView) this.context.state.set({ instances: null, find: null });
    this.panel.readState();
    this.fault.textContent = "";
    this.body.hidden = this.transport.element.hidden = false;
    this.setup.show(source, seed);
    this.stage.open(game, foldedNet(game.net), source.meanings);
    try {
      if (step > 0) await this.run(step);
    } finally {
      this.draw();
    }
    if (writes) await this.writeNet(source, seed);
  }

  private run(step: number): Promise<void> {
    const mine = this.stopAt;
    return this.game!.goTo(step, (at) => {
      if (step - at > 0) this.context.say(`${at.toLocaleString("en")} of ${step.toLocaleString("en")} steps`, "progress");
      return !this.isClosed && this.stopAt === mine;
    });
  }

  private goTo(step: number): Promise<void> {
    ++this.stopAt;
    return this.inTurn(async () => {
      if (this.game === null) return;
      this.fault.textContent = "";
      try {
        await this.run(Math.max(0, step));
        this.context.say("");
      } finally {
        this.draw();
      }
    });
  }

  private draw(): void {
    const { game, source } = this;
    if (game === null || source === null || this.isClosed) return;
    const { state } = game;
    const goal = game.net.until;
    const goalText = goal.length === 0 ? "" : `: ${plain(goal.slice(0, 4).join(", "), 80)}${goal.length > 4 ? ` and ${goal.length - 4} more` : ""}`;
    const end = state.outcome === "running" && goal.length > 0 ? `Running until the goal${goalText}` : outcomes[state.outcome]! + (state.outcome === "goal" ? goalText : "");
    this.transport.show(state.step, game.isOver, end);
    const losses = this.losses?.find() ?? [];
    this.explanation.textContent = losses.length === 0 ? "" : lossText(losses[0]!, game.seed);
    this.stage.update(losses);
    this.panel.show(game, this.stageNet(), source.meanings);
    this.root.dataset.step = String(state.step);
    const values = [...source.parameters.map((p) => `${plain(p.name, 60)} = ${p.value}`), `seed ${game.seed}`, `after ${state.step.toLocaleString("en")} steps`];
    this.printed.textContent = `Net ${plain(source.title, 100)}: ${values.join(", ")}.`;
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => this.writeStep(), address_pause_ms);
  }

  private stageNet(): ReturnType<typeof foldedNet> {
    return this.stage.folded!;
  }

  private writeStep(): void {
    const step = this.game?.state.step ?? 0;
    if (!this.isClosed) this.context.state.set({ step: step === 0 ? null : String(step) });
  }

  // The address of the net: parameters, or the text of a small net.
  private async writeNet(source: Source, seed: number): Promise<void> {
    const old = new URLSearchParams(location.hash.split("?")[1] ?? "");
    const kept = ["instances", "find", "empty", "step"];
    const values: Record<string, string | null> = {};
    for (const key of old.keys()) if (!kept.includes(key)) values[key] = null;
    for (const { name, value } of source.parameters) if (!reserved.includes(name)) values[name] = String(value);
    values.net = source.id;
    values.seed = String(seed);
    if (source.id === "own") {
      values.text = await packed(source.text);
      values.title = source.title.slice(0, 100);
    }
    if (!this.isClosed) this.context.state.set(values);
    this.writeStep();
  }

  private async choosePaper(id: string): Promise<void> {
    const source = await paperSource(this.context.engine, id === "wpnm_literal" ? id : "wpnm");
    const now = new Map(this.source?.id === "own" ? [] : this.source?.parameters.map((p) => [p.name, p.value]));
    for (const parameter of source.parameters) parameter.value = now.get(parameter.name) ?? parameter.value;
    await this.open(source, this.game?.seed ?? 1, 0);
  }

  private async change(parameters: Record<string, number>, seed: number): Promise<void> {
    const isSame = seed === this.game!.seed && this.source!.parameters.every((p) => p.value === (parameters[p.name] ?? p.value));
    if (isSame) {
      this.fault.textContent = "";
      return;
    }
    const source = { ...this.source!, parameters: this.source!.parameters.map((p) => ({ ...p, value: parameters[p.name] ?? p.value })) };
    await this.open(source, seed, 0);
  }

  // Plays the literal net until an instruction is lost, and shows that warp.
  private async showLoss(): Promise<void> {
    const source = await paperSource(this.context.engine, "wpnm_literal");
    for (const parameter of source.parameters) parameter.value = lossRun[parameter.name] ?? parameter.value;
    await this.open(source, lossRun.seed!, 0);
    while (!this.game!.isOver && this.game!.state.step < most_steps_for_loss && this.losses!.find().length === 0) {
      await this.game!.goTo(this.game!.state.step + 1);
    }
    if (this.isClosed) return;
    const loss = this.losses!.find()[0];
    this.context.state.set({ instances: loss?.warp ?? null });
    this.stage.open(this.game!, this.stageNet(), source.meanings);
    this.draw();
  }

  private async openFile(files: DroppedFile[]): Promise<void> {
    const file = files[0];
    if (file === undefined) return;
    const name = plain(file.name, 60);
    try {
      this.context.say(`Reading ${name} ...`, "progress");
      refuseLarge(file);
      const wrong = await wrongFile(file);
      if (wrong !== null) throw new Error(wrong);
      const text = await readText(file, (done) => this.context.say(`Reading ${name}: ${sizeText(done)} of ${sizeText(file.bytes)}`, "progress"));
      this.context.say(`Opening ${name} ...`, "progress");
      await this.open(sourceOf(file.name, text), 1, 0);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      throw new Error(`${name} was not opened. ${messageOf(error)}`);
    }
    if (this.isClosed) return;
    this.context.say(`${name} is open.${files.length > 1 ? ` One net is shown at a time; ${files.length - 1} more files were not read.` : ""}`);
  }

  private async loadText(text: string): Promise<string> {
    let message = "";
    this.transport.pause();
    ++this.stopAt;
    await this.inTurn(async () => {
      try {
        await this.open(sourceOf("edited net", text), this.game?.seed ?? 1, 0);
        if (!this.isClosed) this.context.say("The edited net is loaded.");
      } catch (error) {
        message = messageOf(error);
      }
    });
    return message;
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return plain(text.replace(/^net: /, ""), 600);
}

export const game: View = (root, context) => {
  const view = new GameView(root, context);
  return () => view.close();
};
