// What the tests of the token game share: what the view shows, and the command's runs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { commandPath, root } from "./page.mjs";

// The lines of `pnsim run INPUT --trace -`: line n is the marking after n steps. A run that is cut
// off or dead ends with an exit code of its own, and has its lines too.
export function trace(input, seed, settings = {}, extra = []) {
  const sets = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const args = ["run", input, "--seed", String(seed), "--trace", "-", "-q", ...sets, ...extra];
  const { stdout, stderr, status } = spawnSync(commandPath, args, {
    encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, PNSIM_HOME: root },
  });
  assert.ok([0, 1, 5].includes(status), stderr);
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

export const link = (values) => `#game?${new URLSearchParams(values)}`;
export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();
export const forward = (page) => press(page, "Step ▶");
export const backward = (page) => press(page, "◀ Back");
export const stepOf = (page) => page.$eval(".view.game", (e) => Number(e.dataset.step));

export async function atStep(page, step) {
  await page.waitForFunction((s) => document.querySelector(".view.game")?.dataset.step === String(s), step, { timeout: 20_000 });
}

// The marking and the firings as the view shows them.
export async function shown(page) {
  return page.evaluate(() => {
    const marking = {};
    for (const row of document.querySelectorAll("table.marking tbody tr")) {
      const tokens = Number(row.querySelector(".count").textContent);
      if (tokens > 0) marking[row.querySelector("th").title] = tokens;
    }
    const fired = [...document.querySelectorAll(".fired-now li")].map((li) => li.dataset.name);
    const enabled = [...document.querySelectorAll(".enabled-now li")].map((li) => li.dataset.name);
    return { marking, fired, enabled };
  });
}

export const sorted = (names) => [...names].sort();

export async function compare(page, lines, step) {
  const { marking, fired } = await shown(page);
  assert.deepEqual(marking, lines[step].marking, `marking after ${step} steps`);
  assert.deepEqual(sorted(fired), sorted(lines[step].fired), `firings of step ${step - 1}`);
}

// Sums of tokens by group, as the folded drawing shows them.
export function folded(marking) {
  const sums = {};
  for (const [name, tokens] of Object.entries(marking)) {
    const group = name.split(".")[0];
    sums[group] = (sums[group] ?? 0) + tokens;
  }
  return sums;
}

// Tokens by the name of the node in the drawing, without empty places.
export async function drawn(page) {
  return page.$$eval(".nodes .place", (places) =>
    Object.fromEntries(places.map((p) => [p.dataset.node, Number(p.dataset.tokens)]).filter(([, n]) => n > 0)));
}

// The message of a fault that begins as given.
export async function fault(page, begin = "") {
  await page.waitForFunction((b) => {
    const text = document.querySelector(".game .fault").textContent;
    return text !== "" && text.startsWith(b);
  }, begin, { timeout: 120_000 });
  return page.textContent(".game .fault");
}

export async function opened(page, name) {
  await page.waitForFunction((n) => document.getElementById("status").textContent.startsWith(`${n} is open.`), name);
}
