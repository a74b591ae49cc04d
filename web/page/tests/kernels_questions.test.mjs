// What a launch's page claims, and what it says while files load and parts are computed.

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileOf, models, pagesFolder, predicted, vectorPages } from "./kernels.mjs";
import { drop, pageTest, root, usesBrowser } from "./page.mjs";

usesBrowser();

const section = (page, name) => page.locator(`[data-section="${name}"]`);

pageTest("Block sizes are not offered where the source fixes the tile", "#kernels?model=gemm_mma", async (page) => {
  const blocks = section(page, "Block sizes");
  await blocks.getByText("So other sizes are not predicted.").waitFor({ timeout: 60_000 });
  assert.match(await blocks.textContent(), /This kernel has products on tensor cores: .* other block sizes cannot be launched/);
  assert.equal(await blocks.locator("svg").count(), 0);
  await page.evaluate(() => { location.hash = "#kernels?model=gemm_mma&blocks=64,128,256"; });
  await section(page, "Block sizes").locator("svg, .failure").first().waitFor({ timeout: 120_000 });
  assert.match((await blocks.locator("svg text").allTextContents()).join(" "), /block = 64 \(what-if\)/);
  assert.doesNotMatch((await blocks.locator("svg text").allTextContents()).join(" "), /shortest|best|%/);
});

pageTest("Other what-ifs of the block say what they assume", "#kernels?model=copy&blocks=96,256", async (page) => {
  const blocks = section(page, "Block sizes");
  await blocks.locator("svg").waitFor({ timeout: 60_000 });
  assert.match(await blocks.textContent(), /They assume that the source works with any block size\./);
});

pageTest("Two GPUs that are alike are named, not lettered", "#kernels?model=copy&a=h200&b=h200", async (page) => {
  const sides = section(page, "GPUs side by side");
  await sides.locator(".facts").waitFor({ timeout: 60_000 });
  const text = (await sides.textContent()) + (await sides.locator("svg").first().getAttribute("aria-label"));
  assert.match(text, /NVIDIA H200 takes [\d.]+ µs, and NVIDIA H200 takes/);
  assert.doesNotMatch(text, /\b[ab] takes|limit of [ab]\b|Against [ab]\b|Side [ab]\b/);
});

pageTest("While files load, the launches of before are gone", "#kernels", async (page) => {
  await predicted(page, models.length);
  assert.equal(await page.locator("h2").filter({ hasText: "Shipped models" }).textContent(), "Shipped models, profiled on NVIDIA H200");
  await page.evaluate(() => {
    new MutationObserver(() => {
      const loading = document.querySelector(".loading");
      if (loading !== null) window.loading = { text: loading.textContent, rows: document.querySelectorAll(".launches tr").length };
    }).observe(document.querySelector(".kernels"), { childList: true, subtree: true });
  });
  await drop(page, vectorPages());
  await predicted(page, 5);
  const { text, rows } = await page.evaluate(() => window.loading);
  assert.match(text, /^Reading 2 files .*ncu_source\.csv, \d+ kB.*ncu_raw\.csv, \d+ kB/);
  assert.equal(rows, 0);
  assert.equal(await page.locator(".loading").count(), 0);
});

pageTest("The table names the GPU that was profiled; several have a column", "#kernels", async (page) => {
  await drop(page, [fileOf(join(pagesFolder, "torch.raw.csv")), fileOf(join(pagesFolder, "torch.source.csv"))]);
  await page.locator("h2", { hasText: "Launches, profiled on NVIDIA H100 80GB HBM3" }).waitFor({ timeout: 60_000 });
  await drop(page, [fileOf(join(root, "models/copy.json"))]);
  const gpus = page.locator(".launches tbody td.gpu");
  await page.waitForFunction(() => document.querySelectorAll(".launches tbody td.gpu").length === 7);
  assert.deepEqual([...new Set(await gpus.allTextContents())].sort(), ["NVIDIA H100 80GB HBM3", "NVIDIA H200"]);
});

pageTest("The status line counts the parts of a launch's page", "#kernels?model=copy", async (page) => {
  await page.waitForFunction(() => /^Computing part \d of 5: \S/.test(document.getElementById("status").textContent), null, { timeout: 60_000 });
  await section(page, "What would help").locator("svg").waitFor({ timeout: 90_000 });
  await page.waitForFunction(() => document.getElementById("status").textContent === "");
});
