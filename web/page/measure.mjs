// Measures the built page in Chromium: node measure.mjs. Prints size, time to the first answer,
// answer times of the explorer by W, the surface, and memory. PNSIM_PAGE and CHROMIUM as in the tests.

import { statSync } from "node:fs";
import { chromium } from "playwright-core";
import { address, chromiumPath, pagePath } from "./tests/page.mjs";

const row = (name, ...values) => console.log(name.padEnd(48) + values.map((v) => String(v).padStart(10)).join(""));
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

async function answers(page, W) {
  const times = [];
  const number = page.locator("input[type=number][data-key=W]");
  await number.fill(String(W));
  await number.press("Enter");
  await page.waitForFunction((w) => document.querySelector(".view").dataset.shown?.split(",")[1] === w, String(W));
  for (let i = 0; i < 40; ++i) {
    const l1 = 10 + 5 * i;
    const ms = await page.evaluate(async (value) => {
      const input = document.querySelector("input[type=range][data-key=l1]");
      const view = document.querySelector(".view");
      const began = performance.now();
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      while (view.dataset.shown?.split(",")[3] !== String(value)) await new Promise(requestAnimationFrame);
      return performance.now() - began;
    }, l1);
    if (i > 4) times.push(ms);
    await page.waitForTimeout(20);
  }
  times.sort((a, b) => a - b);
  row(`slider of l1 to the figures drawn, W=${W}`, at(times, 0.5).toFixed(1), at(times, 0.95).toFixed(1));
}

const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--enable-precise-memory-info"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 950 } });
row("size of the page (kB)", Math.round(statSync(pagePath).size / 1000));
const began = performance.now();
await page.goto(address());
await page.waitForSelector('[data-figure="steps"]');
row("opening to the first answer (ms)", Math.round(performance.now() - began));
await page.waitForSelector(".surface[data-done]");
row("", "median ms", "P95 ms");
for (const W of [4, 16, 32, 64]) await answers(page, W);
for (const hash of ["#explorer?W=64", "#explorer?surface=radix_shared"]) {
  await page.goto("about:blank");
  await page.goto(address(hash));
  await page.waitForSelector(".surface[data-done]", { timeout: 120_000 });
  row(`surface 21 x 21, ${hash} (ms)`, await page.$eval(".surface", (e) => e.dataset.ms));
}
const before = await page.$eval(".surface", (e) => e.dataset.done);
await page.locator("select:has(option[value=radix_global])").last().selectOption("radix_global");
await page.waitForFunction((done) => document.querySelector(".surface").dataset.done !== done, before, { timeout: 120_000 });
row("surface 21 x 21, radix_global, engines loaded (ms)", await page.$eval(".surface", (e) => e.dataset.ms));
row("memory of the page's JavaScript (MB)", await page.evaluate(() => Math.round(performance.memory.usedJSHeapSize / 1e6)));
await browser.close();
