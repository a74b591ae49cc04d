// The token game in a browser, against the command: every marking and every firing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { atStep, backward, compare, drawn, folded, forward, link, press, shown, sorted, stepOf, trace } from "./game_page.mjs";
import { pageTest, usesBrowser } from "./page.mjs";

usesBrowser();

const w4 = { W: 4, S: 2, l1: 5, l2: 2, xa: 2, xs: 1, xg: 1 };
const w2 = { W: 2, S: 1, l1: 4, l2: 2, xa: 2, xs: 1, xg: 1 };

pageTest("Game: each step and each step back has the command's marking and firings", link({ net: "wpnm", seed: 7, ...w4 }), async (page) => {
  const lines = trace("wpnm", 7, w4);
  assert.ok(lines.length > 20);
  for (let step = 0; step < lines.length; ++step) {
    if (step > 0) await forward(page);
    await atStep(page, step);
    await compare(page, lines, step);
    assert.deepEqual(await drawn(page), folded(lines[step].marking));
  }
  assert.match(await page.textContent(".outcome"), /goal is reached/);
  assert.ok(await page.getByRole("button", { name: "Step ▶", exact: true }).isDisabled());
  for (let step = lines.length - 2; step >= lines.length - 8; --step) {
    await backward(page);
    await atStep(page, step);
    await compare(page, lines, step);
  }
  await press(page, "Reset");
  await atStep(page, 0);
  assert.deepEqual((await shown(page)).marking, lines[0].marking);
});

pageTest("Game: the literal net runs as the command's, too", link({ net: "wpnm_literal", seed: 5, ...w4 }), async (page) => {
  const lines = trace("wpnm_literal", 5, w4, ["--max-steps", "40"]);
  for (let step = 1; step < lines.length; ++step) {
    await forward(page);
    await atStep(page, step);
    await compare(page, lines, step);
  }
});

pageTest("Game: a link goes to its step, and unfolded every place is drawn", link({ ...w4, seed: 7, step: 9, instances: "all" }), async (page) => {
  const lines = trace("wpnm", 7, w4);
  await atStep(page, 9);
  await compare(page, lines, 9);
  assert.deepEqual(await drawn(page), lines[9].marking);
  await page.locator("select[name=instances]").selectOption("2");
  const own = Object.entries(lines[9].marking).filter(([name]) => !name.includes(".") || name.endsWith(".2"));
  assert.deepEqual(await drawn(page), Object.fromEntries(own));
  assert.match(page.url(), /instances=2/);
  await forward(page);
  await atStep(page, 10);
  await page.waitForFunction(() => /step=10/.test(location.hash));
  await page.reload();
  await atStep(page, 10);
  await compare(page, lines, 10);
  assert.equal(await page.locator("select[name=instances]").inputValue(), "2");
});

pageTest("Game: one can go to a step, far ahead and back", link({ ...w2, seed: 3 }), async (page) => {
  const lines = trace("wpnm", 3, w2);
  for (const [wanted, step] of [[11, 11], [4, 4], [1_000_000_000, lines.length - 1], [0, 0]]) {
    await page.getByLabel("steps to have done").fill(String(wanted));
    await press(page, "Go");
    await atStep(page, step);
    await compare(page, lines, step);
  }
});

pageTest("Game: contests name the place, the winners and the losers", link({ W: 4, S: 1, seed: 3 }), async (page) => {
  let contests = 0;
  for (let step = 1; step <= 15; ++step) {
    const before = await shown(page);
    await forward(page);
    await atStep(page, step);
    const { fired } = await shown(page);
    const rows = await page.$$eval("table.contests tbody tr", (trs) => trs.map((tr) => ({
      place: tr.querySelector("th").title,
      cells: [...tr.querySelectorAll("td")].map((td) => [...td.querySelectorAll("li")].map((li) => li.dataset.name)),
    })));
    for (const { place, cells: [competed, won, lost] } of rows) {
      ++contests;
      assert.deepEqual(sorted([...won, ...lost]), sorted(competed));
      for (const t of competed) assert.ok(before.enabled.includes(t));
      for (const t of won) assert.ok(fired.includes(t));
      for (const t of lost) assert.ok(!fired.includes(t));
      assert.ok(lost.length > 0);
      const node = page.locator(`.nodes .place[data-node="${place.split(".")[0]}"]`);
      assert.match(await node.getAttribute("class"), /contested/);
    }
  }
  assert.ok(contests > 0);
});

pageTest("Game: playback pauses and reaches the end", link({ W: 2, S: 1, l1: 2, l2: 1, xa: 1, xs: 1, xg: 1, seed: 2 }), async (page) => {
  const lines = trace("wpnm", 2, { W: 2, S: 1, l1: 2, l2: 1, xa: 1, xs: 1, xg: 1 });
  await press(page, "Play");
  await page.waitForFunction(() => Number(document.querySelector(".view.game").dataset.step) >= 2);
  await press(page, "Pause");
  await page.waitForTimeout(300);
  const step = await stepOf(page);
  await compare(page, lines, step);
  await page.waitForTimeout(600);
  assert.equal(await stepOf(page), step);
  await page.locator(".transport input[type=range]").fill("6");
  await press(page, "Play");
  await atStep(page, lines.length - 1);
  await compare(page, lines, lines.length - 1);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

pageTest("Game: one click shows how the literal net loses an instruction", "#game", async (page) => {
  await page.click("button.loss");
  await page.waitForSelector(".explanation:not(:empty)");
  const text = await page.textContent(".explanation");
  const [, stepText, seed, warp] = /In step (\d+) \(seed (\d+)\), t16\.(\d+) fired .* while p4\.\3 was marked/.exec(text);
  const step = Number(stepText);
  await atStep(page, step + 1);
  const value = async (name) => [name, await page.inputValue(`input[name=${name}]`)];
  const settings = Object.fromEntries(await Promise.all(Object.keys(w2).map(value)));
  const lines = trace("wpnm_literal", seed, settings, ["--max-steps", String(step + 2)]);
  const losesAt = (i) => i > 0 && lines[i].fired.some((t) => t.startsWith("t16.") && lines[i - 1].marking[`p4.${t.slice(4)}`] > 0);
  assert.equal(lines.findIndex((_, i) => losesAt(i)), step + 1);
  assert.ok(lines[step + 1].fired.includes(`t16.${warp}`));
  await compare(page, lines, step + 1);
  assert.equal(await page.locator(".nodes .kept").count(), 2);
  assert.match(await page.locator(`.nodes [data-node="t16.${warp}"]`).getAttribute("class"), /fired.*ended/);
  await backward(page);
  await atStep(page, step);
  assert.equal(await page.textContent(".explanation"), "");
  assert.equal(await page.locator(".nodes .kept").count(), 0);
});

pageTest("Game: the run goes on after the engine was replaced", link({ ...w2, seed: 4, step: 6 }), async (page) => {
  const lines = trace("wpnm", 4, w2);
  await atStep(page, 6);
  await page.$eval("#cancel", (button) => button.click());
  for (const step of [7, 8]) {
    await forward(page);
    await atStep(page, step);
    await compare(page, lines, step);
  }
});

pageTest("Game: drawing and tables can be saved", link({ ...w2, step: 5 }), async (page) => {
  await atStep(page, 5);
  const save = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
    return readFileSync(await file.path());
  };
  const svg = (await save("SVG")).toString();
  assert.doesNotMatch(svg, /var\(--/);
  assert.equal(await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return parsed.querySelector("parsererror") === null && parsed.querySelectorAll("circle").length > 19;
  }, svg), true);
  assert.equal((await save("PNG")).subarray(1, 4).toString(), "PNG");
  const csv = (await save("CSV")).toString().trim().split("\n");
  const lines = trace("wpnm", 1, w2);
  assert.equal(csv.length, 1 + 37);
  const saved = Object.fromEntries(csv.slice(1).map((row) => row.split(",")).filter((c) => c[2] !== "0").map((c) => [c[1], Number(c[2])]));
  assert.deepEqual(saved, lines[5].marking);
  const firings = (await save("Firings CSV")).toString().trim().split("\n").slice(1);
  assert.deepEqual(firings, lines.slice(1, 6).flatMap((line) => line.fired.map((t) => `${line.step},${t}`)));
});

pageTest("Game: the keyboard moves the drawing, and the pointer shows a node's arcs", link(w2), async (page) => {
  await atStep(page, 0);
  const svg = page.locator("svg.net:not(.key)");
  await svg.focus();
  const whole = await svg.getAttribute("viewBox");
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await svg.getAttribute("viewBox"), whole);
  await page.keyboard.press("0");
  assert.equal(await svg.getAttribute("viewBox"), whole);
  assert.match(await svg.getAttribute("aria-label"), /after 0 steps/);
  await page.locator('.nodes [data-node="t1"] .body').hover();
  assert.equal(await page.locator(".edge.near").count(), 4); // p0, p2 and p4 to t1, t1 to p11
});

pageTest("Game: playing stops when another view opens", link(w2), async (page) => {
  await atStep(page, 0);
  await press(page, "Play");
  await page.getByRole("link", { name: "Kernels" }).click();
  await page.waitForSelector("main .view.kernels");
  await page.waitForTimeout(800);
  assert.match(page.url(), /#kernels$/);
});

for (const colorScheme of ["light", "dark"]) {
  pageTest(`Game: axe finds nothing serious (${colorScheme})`, link({ ...w2, step: 1 }), async (page) => {
    await atStep(page, 1);
    await page.click("summary");
    const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    await page.addScriptTag({ content: readFileSync(axe, "utf8") });
    const { violations } = await page.evaluate(() => window.axe.run());
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200))]), []);
  }, { bypassCSP: true, colorScheme });
}
