// The explorer in a browser, against the command.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { command, pageTest, usesBrowser } from "./page.mjs";

usesBrowser();

const shown = (page, key, value) => page.waitForFunction(([k, v]) => {
  const keys = ["W", "S", "l1", "l2", "xa", "xs", "xg", "seed"];
  const parts = document.querySelector(".view")?.dataset.shown?.split(",");
  return parts && parts[keys.indexOf(k) + 1] === String(v);
}, [key, value]);

const number = (page, key) => page.locator(`input[type=number][data-key=${key}]`);
const steps = async (page) => Number((await page.textContent('[data-figure="steps"]')).replaceAll(",", ""));

// The figures as `pnsim run` prints them.
function expected(net, settings, seed = 1) {
  const sets = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  return JSON.parse(command("run", net, "--json", "-q", "--seed", String(seed), ...sets));
}

const standard = { W: 16, S: 4, l1: 20, l2: 2, xa: 24, xs: 6, xg: 4 };

pageTest("Figures are those of the command, for both nets", "", async (page) => {
  for (const [net, changed] of [["wpnm", {}], ["wpnm", { l1: 160 }], ["wpnm_literal", { l1: 160, l2: 7 }], ["wpnm_literal", { l1: 160, l2: 7, W: 5, S: 2, xg: 9 }]]) {
    await page.getByLabel("net", { exact: true }).selectOption(net);
    for (const [key, value] of Object.entries(changed)) await number(page, key).fill(String(value));
    for (const [key, value] of Object.entries(changed)) await shown(page, key, value);
    await page.waitForFunction((n) => document.querySelector(".view").dataset.shown.startsWith(n + ","), net);
    const answer = expected(net, { ...standard, ...changed });
    assert.equal(await steps(page), answer.steps.mean);
    const idle = (100 * answer.idle_scheduler_steps.mean) / (answer.steps.mean * (changed.S ?? 4));
    assert.equal(await page.textContent('[data-figure="idle"]'), `${idle.toFixed(1)} %`);
    const waiting = (100 * answer.waiting_steps.mean) / answer.steps.mean;
    assert.equal(await page.textContent('[data-figure="waiting"]'), `${waiting.toFixed(1)} %`);
  }
});

pageTest("A slider that is moved changes the figures, the address and the field", "", async (page) => {
  await shown(page, "l1", 20);
  await page.locator("input[type=range][data-key=l1]").fill("200");
  await shown(page, "l1", 200);
  assert.equal(await number(page, "l1").inputValue(), "200");
  assert.match(page.url(), /l1=200/);
  assert.equal(await steps(page), expected("wpnm", { ...standard, l1: 200 }).steps.mean);
});

pageTest("A baseline is pinned, compared with and kept in the link", "#explorer?W=8&S=2", async (page, context) => {
  await shown(page, "W", 8);
  const before = await steps(page);
  await page.getByRole("button", { name: "Pin as baseline" }).click();
  await number(page, "l1").fill("100");
  await shown(page, "l1", 100);
  const now = await steps(page);
  assert.notEqual(now, before);
  const change = await page.textContent('[data-change="steps"]');
  assert.ok(change.startsWith(`${now > before ? "+" : "−"}${Math.abs(now - before)} steps`), change);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForSelector('[data-figure="steps"]');
  await shown(other, "l1", 100);
  assert.equal(await other.textContent('[data-change="steps"]'), change);
});

pageTest("The surface has the command's steps, and a cell leads there", "#explorer?W=12&S=3", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  assert.equal(await page.locator(".surface rect[data-value]").count(), 441);
  for (const [l1, l2] of [[0, 0], [200, 20], [400, 40], [20, 38]]) {
    const cell = page.locator(`.surface rect[data-l1="${l1}"][data-l2="${l2}"]`);
    assert.equal(Number(await cell.getAttribute("data-value")), expected("wpnm", { ...standard, W: 12, S: 3, l1, l2 }).steps.mean);
  }
  await page.locator('.surface rect[data-l1="300"][data-l2="10"]').click({ force: true });
  await shown(page, "l1", 300);
  await shown(page, "l2", 10);
});

pageTest("The error surface compares with the recorded times", "#explorer?surface=radix_shared", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 60_000 });
  const answer = JSON.parse(command("--model", "radix_shared", "--net", "wpnm", "--json", "-q"));
  const error = 100 * (answer.time_us.value / answer.measured_us.value - 1);
  const cell = page.locator('.surface rect[data-l1="20"][data-l2="2"]');
  assert.ok(Math.abs(Number(await cell.getAttribute("data-value")) - error) < 0.01);
  assert.match(await page.textContent(".surface"), /recorded 533\.9 us/);
});

pageTest("The counts of a recorded kernel can be taken", "", async (page) => {
  const choice = page.getByLabel("counts of a recorded kernel");
  await page.waitForFunction(() => document.querySelectorAll("form select")[1].options.length > 5);
  await choice.selectOption({ index: 1 });
  await shown(page, "W", 32);
  const line = command("show", "radix_shared", "-q").split("\n").filter((l) => /^kind \d+ of radix_shared_count/.test(l))
    .map((l) => [...l.matchAll(/[\d,]+(?= (?:warps|arithmetic|shared|global))/g)].map((m) => Number(m[0].replaceAll(",", ""))))
    .sort((a, b) => b[0] - a[0])[0];
  for (const [key, value] of [["xa", line[1]], ["xs", line[2]], ["xg", line[3]]]) assert.equal(await number(page, key).inputValue(), String(value));
});

pageTest("A wrong number is explained, and nothing is lost", "", async (page) => {
  await shown(page, "l1", 20);
  const before = await steps(page);
  for (const text of ["1000000000", "-3", "2.5", ""]) {
    await number(page, "l1").fill(text);
    await page.waitForSelector("#status.error");
    assert.match(await page.textContent("#status"), /l1, global latency \(steps\): found ".*", expected an integer from 0 to 1,000,000/);
    assert.equal(await steps(page), before);
  }
  await number(page, "l1").fill("21");
  await shown(page, "l1", 21);
  assert.equal(await page.locator("#status.error").count(), 0);
});

pageTest("A computation that takes long can be cancelled", "#explorer?W=65536&xa=1000&xs=1000", async (page) => {
  await page.locator("#cancel").waitFor({ state: "visible", timeout: 20_000 });
  await page.locator("#cancel").click();
  await page.waitForFunction(() => document.getElementById("status").textContent === "Cancelled.");
  await number(page, "W").fill("4");
  await number(page, "xa").fill("2");
  await number(page, "xs").fill("1");
  await shown(page, "xs", 1);
  assert.equal(await steps(page), expected("wpnm", { ...standard, W: 4, xa: 2, xs: 1 }).steps.mean);
});

pageTest("Schedule and surface are saved as CSV and SVG", "#explorer?W=4&S=2", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  const saved = async (group, name) => {
    const [download] = await Promise.all([page.waitForEvent("download"),
      page.getByRole("group", { name: group }).getByRole("button", { name }).click()]);
    return readFileSync(await download.path(), "utf8");
  };
  const schedule = (await saved("Save the schedule", "CSV")).trim().split("\n");
  assert.equal(schedule[0], "row,number,kind,first_step,last_step,warp");
  const last = Math.max(...schedule.slice(1).map((line) => Number(line.split(",")[4])));
  assert.equal(last, (await steps(page)) - 1);
  assert.match(await saved("Save the schedule", "SVG"), /^<svg[^>]+xmlns[\s\S]*<\/svg>$/);
  assert.equal((await saved("Save surface", "CSV")).trim().split("\n").length, 442);
  // Other programs know neither variables of the page nor mixtures of colours, and draw black.
  const surface = await saved("Save surface", "SVG");
  assert.doesNotMatch(surface, /oklab|color-mix|var\(--/);
  const fills = new Set([...surface.matchAll(/<rect[^>]+fill="(rgba?\([^"]+)"/g)].map((found) => found[1]));
  assert.ok(fills.size > 20, `${fills.size} colours`);
});

pageTest("The explorer has no serious fault of accessibility", "", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  const source = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  await page.evaluate(source);
  const found = await page.evaluate(async () => (await window.axe.run()).violations.filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join("; ").slice(0, 300)}`));
  assert.deepEqual(found, []);
}, { bypassCSP: true });

pageTest("In the dark", "#explorer?W=8&S=2&l1=60&base=wpnm,8,2,20,2,24,6,4,1", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
}, { colorScheme: "dark" });

pageTest("On a narrow screen nothing is cut off", "#explorer", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1));
}, { viewport: { width: 600, height: 900 } });

pageTest("Figures of the values before are marked until the new ones are there", "", async (page) => {
  await shown(page, "l1", 20);
  await number(page, "xa").fill("1000");
  await number(page, "xs").fill("1000");
  await shown(page, "xs", 1000);
  await number(page, "W").fill("65536");
  await page.locator('.explorer [aria-busy="true"]').waitFor();
  await page.locator("#cancel").waitFor({ state: "visible", timeout: 20_000 });
  await page.locator("#cancel").click();
  await page.waitForFunction(() => document.getElementById("status").textContent === "Cancelled.");
  assert.equal(await page.locator('.explorer [aria-busy="true"]').count(), 1);
  await number(page, "W").fill("4");
  await shown(page, "W", 4);
  assert.equal(await page.locator('.explorer [aria-busy="true"]').count(), 0);
});
