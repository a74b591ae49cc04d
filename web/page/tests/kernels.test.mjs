// The kernels: dropped profiles and shipped models, compared with the command.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drop, pageTest, root, usesBrowser } from "./page.mjs";
import {
  answerOf,
  derived,
  fileOf,
  models,
  picture,
  predicted,
  predictionOf,
  rawVector,
  savedRows,
  scratch,
  shownRows,
  significant,
  sourceVector,
  vectorPages,
} from "./kernels.mjs";

usesBrowser();

pageTest("Dropped pages in any order give the command's predictions", "#kernels", async (page) => {
  const launches = derived(rawVector, sourceVector);
  await drop(page, vectorPages());
  await predicted(page, launches.length);
  const shown = await shownRows(page);
  const saved = await savedRows(page, page.locator(".tablehead"));
  launches.forEach(({ path, profiled_us }, i) => {
    const answer = predictionOf(path);
    const launch = answer.launches[0];
    assert.deepEqual(shown[i].slice(0, 6), [
      String(i),
      launch.kernel,
      String(launch.grid),
      String(launch.block),
      significant(answer.time_us.value),
      significant(profiled_us),
    ]);
    assert.equal(Number(saved[i][4]), answer.time_us.value);
  });
});

pageTest("A source page that comes later completes the raw page", "#kernels", async (page) => {
  await drop(page, [fileOf(rawVector, "one.csv")]);
  await predicted(page, 5);
  assert.match(await page.locator(".notices").textContent(), /have only counts\. Drop its source page/);
  assert.deepEqual(
    (await shownRows(page)).map((row) => row[9]),
    Array(5).fill("counts, far"),
  );
  await drop(page, [fileOf(sourceVector, "two.csv")]);
  await page.waitForFunction(() => document.querySelector(".launches")?.textContent.includes("busiest"));
  await predicted(page, 5);
  assert.equal(
    (await shownRows(page))[0][4],
    significant(predictionOf(derived(rawVector, sourceVector)[0].path).time_us.value),
  );
});

pageTest("A page of launches in place is no second profile; one of the same name replaces the first", "#kernels", async (page) => {
  await drop(page, [
    fileOf(rawVector, "p.raw.csv"),
    fileOf(sourceVector, "p.source.csv"),
    fileOf(rawVector, "p.raw_in_place.csv"),
  ]);
  await predicted(page, 5);
  assert.doesNotMatch(await page.locator(".notices").textContent(), /counts|error/);
  await drop(page, [fileOf(rawVector, "p.raw.csv")]);
  await page.locator(".notices", { hasText: "p.raw.csv takes the place of the page of this name: its 5 launches are gone" }).waitFor();
});

pageTest("A launch page has the command's reasons and units beside the profiler's stalls", "#kernels", async (page) => {
  await drop(page, vectorPages());
  await predicted(page, 5);
  await page.locator(".launches tbody tr").nth(1).locator("td").nth(2).click();
  await page.waitForSelector(".launch .figure");
  assert.match(page.url(), /launch=0001-block_sum/);
  const { breakdown } = predictionOf(derived(rawVector, sourceVector)[1].path);
  const rows = await savedRows(page, picture(page, "-reasons"));
  for (const side of ["schedulers", "warps"]) {
    const shown = Object.fromEntries(rows.filter((row) => row[0] === side).map((row) => [row[1], Number(row[3])]));
    assert.deepEqual(shown, Object.fromEntries(Object.entries(breakdown[side]).filter(([, share]) => share > 0)));
  }
  const stalls = rows.filter((row) => row[0] === "profiler");
  assert.ok(Math.abs(stalls.reduce((sum, row) => sum + Number(row[3]), 0) - 1) < 1e-9);
  assert.deepEqual(
    stalls.filter((row) => row[2] === "barrier").map((row) => Number(row[3]) > 0.05),
    [true],
  );
  const units = await savedRows(page, picture(page, "-units"));
  assert.deepEqual(Object.fromEntries(units.map(([name, share]) => [name, Number(share)])), breakdown.units);
});

pageTest("Shipped models are predicted without any file", "#kernels", async (page) => {
  await predicted(page, models.length);
  const row = page.locator('.launches tbody tr[data-key="norm_group"]');
  const answer = predictionOf("norm_group");
  assert.ok((await row.textContent()).includes(significant(answer.time_us.value)));
  await row.getByRole("link").click();
  await page.waitForSelector(".launch .facts");
  const facts = await page.locator(".launch > .facts").textContent();
  assert.ok(facts.includes(`${significant(answer.time_us.value)} µs`));
  assert.ok(facts.includes(`${significant(answer.measured_us.value)} µs`));
});

pageTest("The table names a bottleneck only where the command does", "#kernels", async (page) => {
  await predicted(page, models.length);
  let none = 0;
  for (const model of ["softmax_rows", "copy", "matmul_tiled", "gather"]) {
    const limit = predictionOf(model).breakdown.nearest_limit;
    const cell = await page.locator(`.launches tbody tr[data-key="${model}"] td.bottleneck`).textContent();
    none += limit.startsWith("none") ? 1 : 0;
    assert.equal(cell.startsWith("none"), limit.startsWith("none"), `${model}: ${cell}; ${limit}`);
  }
  assert.ok(none > 0);
});

pageTest(
  "A link restores GPU, point, window and block sizes",
  "#kernels?model=radix_shared&device=h100&set=n%3D65536&cycles=2000-2499&part=1&blocks=128,256",
  async (page) => {
    const answer = predictionOf("radix_shared", "--device", "h100", "--set", "n=65536");
    await page.waitForSelector('[data-section="Block sizes"] .figure', { timeout: 60_000 });
    assert.ok((await page.locator(".launch > .facts").textContent()).includes(significant(answer.time_us.value)));
    assert.equal(await page.getByLabel("From cycle").inputValue(), "2000");
    assert.equal(await page.getByLabel("Cycles shown").inputValue(), "500");
    const ranked = answerOf(
      "rank",
      "radix_shared",
      "--device",
      "h100",
      "--set",
      "n=65536",
      "--axis",
      "block=[128,256]",
    );
    const rows = await savedRows(page, picture(page, "-blocks"));
    assert.deepEqual(
      rows.map((row) => [row[0], Number(row[1])]),
      ranked.configurations.map((c) => [c.configuration, c.time_us]),
    );
  },
);

pageTest("What-ifs and GPUs side by side are the command's", "#kernels?model=copy", async (page) => {
  await page.waitForSelector('[data-section="What would help"] .figure', { timeout: 90_000 });
  const wanted = answerOf("sensitivity", "copy", "--net", "sm").what_if;
  const rows = await savedRows(page, picture(page, "-what-if"));
  assert.deepEqual(
    rows.map((row) => [row[0], Number(row[1]), Number(row[2])]),
    wanted.map((w) => [w.what, w.time_us, w.change_percent]),
  );
  const compared = answerOf("compare", "copy", "--a", "device=h200", "--b", "device=h100");
  const sides = await savedRows(page, picture(page, "-h200-h100"));
  assert.deepEqual(sides[0].slice(2, 4).map(Number), [compared.a.time_us, compared.b.time_us]);
  assert.deepEqual(
    sides.slice(1).map((row) => [row[1], Number(row[4])]),
    compared.reasons.map((r) => [r.name, r.difference_us]),
  );
});

pageTest(
  "The timeline has the bars of the command's trace",
  "#kernels?model=norm_group&cycles=1600-1899",
  async (page) => {
    await page.waitForSelector('[data-section="Timeline of an SM"] .figure');
    const rows = await savedRows(page, picture(page, "-timeline"));
    const out = join(scratch, "trace.json");
    answerOf("--model", "norm_group", "--net", "sm", "--trace", out, "--trace-steps", "1600:1899");
    const bars = JSON.parse(readFileSync(out, "utf8")).traceEvents.filter((event) => event.ph === "X");
    const key = (name, from, last) => `${name} ${from} ${last}`;
    assert.deepEqual(
      rows.map((row) => key(row[3], row[4], row[5])).sort(),
      bars.map((bar) => key(bar.name, bar.ts, bar.ts + bar.dur - 1)).sort(),
    );
    assert.ok((await page.locator('[data-section="Timeline of an SM"] path.bar').count()) > 3);
    await page.getByRole("button", { name: "Later" }).click();
    await page.waitForFunction(() => location.hash.includes("cycles=1750-2049"));
  },
);

pageTest("SASS has the profiler's samples", "#kernels", async (page) => {
  await drop(page, vectorPages());
  await predicted(page, 5);
  await page.locator('.launches tbody tr[data-key="0000-vector_add"] a').click();
  await page.waitForSelector('[data-section="SASS by share of the time"] .figure');
  const [first] = readFileSync(sourceVector, "utf8")
    .split(/^"?Kernel Name.*$/m)
    .slice(1);
  const lines = first
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.slice(1, -1).split('","'));
  const body = page.locator('[data-section="SASS by share of the time"] tbody');
  await page.getByLabel("Show", { exact: true }).selectOption("all");
  const shown = await body
    .locator("tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  const samples = lines.reduce((sum, cells) => sum + Number(cells[4]), 0);
  assert.deepEqual(
    shown.map((row) => row[3]),
    lines.map((cells) => cells[1].trim()),
  );
  assert.deepEqual(
    shown.map((row) => row[1]),
    lines.map((cells) => (Number(cells[4]) > 0 ? ((100 * Number(cells[4])) / samples).toFixed(1) : "")),
  );
});

pageTest("A dropped kernel model is predicted", "#kernels", async (page) => {
  await drop(page, [{ name: "my own (1).json", content: readFileSync(join(root, "models/gather.json")) }]);
  await predicted(page, 1);
  assert.equal((await shownRows(page))[0][3], significant(predictionOf("gather").time_us.value));
});

pageTest("The table sorts and filters, and another tab keeps it", "#kernels", async (page) => {
  await drop(page, vectorPages());
  await predicted(page, 5);
  const times = async () => (await shownRows(page)).map((row) => Number(row[4]));
  const head = page.locator(".launches thead").getByRole("button", { name: "predicted" });
  await head.click();
  assert.deepEqual(
    await times(),
    [...(await times())].sort((a, b) => a - b),
  );
  await head.click();
  assert.deepEqual(
    await times(),
    [...(await times())].sort((a, b) => b - a),
  );
  assert.equal(await page.locator('.launches th[aria-sort="descending"]').textContent(), "predicted µs");
  await page.getByLabel("Filter").fill("block_sum");
  assert.deepEqual(
    (await shownRows(page)).map((row) => row[1]),
    ["block_sum", "block_sum"],
  );
  assert.match(page.url(), /sort=-predicted.*filter=block_sum|filter=block_sum.*sort=-predicted/);
  await page.getByRole("link", { name: "Explorer" }).click();
  await page.waitForSelector(".view.explorer");
  await page.goBack();
  await page.waitForSelector(".launches tbody tr");
  assert.equal((await shownRows(page)).length, 2);
});

pageTest(
  "The table has a second GPU beside the first one",
  "#kernels?device=h200&beside=h100&filter=norm_",
  async (page) => {
    await predicted(page, 2);
    const rows = await savedRows(page, page.locator(".tablehead"));
    for (const row of rows) {
      const [h200, h100] = answerOf("compare", row[1], "--device", "h200,h100").kernels[0].on;
      assert.deepEqual([Number(row[4]), Number(row[7])], [h200.time_us, h100.time_us]);
    }
    assert.deepEqual(
      rows.map((row) => row[1]),
      ["norm_base", "norm_group"],
    );
  },
);

pageTest("A launch of a program stands beside its recorded stalls", "#kernels?model=radix_shared", async (page) => {
  await page.getByLabel("Reasons, units and timeline of").selectOption("3");
  await page.waitForFunction(() => location.hash.includes("part=3"));
  const rows = await savedRows(page, picture(page, "-3-reasons"));
  const shares = (side) =>
    Object.fromEntries(rows.filter((row) => row[0] === side).map((row) => [row[1], Number(row[3])]));
  const { breakdown } = predictionOf("radix_shared").launches[2];
  assert.deepEqual(
    shares("warps"),
    Object.fromEntries(Object.entries(breakdown.warps).filter(([, share]) => share > 0)),
  );
  const recorded = readFileSync(join(root, "results/h200/counts.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find((row) => row.program === "radix_shared" && row.axes.block === 256 && row.axes.n === 1048576)
    .kernels[2].stalls;
  for (const [reason, share] of Object.entries(recorded)) {
    assert.ok(Math.abs((shares("profiler")[reason] ?? 0) - share) < 1e-3, reason);
  }
});

pageTest("A recorded point is chosen by its axes", "#kernels?model=radix_shared", async (page) => {
  await page.getByLabel("n", { exact: true }).selectOption("65536");
  const wanted = predictionOf("radix_shared", "--set", "n=65536");
  await page.waitForFunction(
    (text) => document.querySelector(".launch > .facts")?.textContent.includes(text),
    significant(wanted.time_us.value),
  );
  assert.match(decodeURIComponent(page.url()), /set=n=65536/);
  await page.goBack();
  await page.waitForFunction(
    (text) => document.querySelector(".launch > .facts")?.textContent.includes(text),
    significant(predictionOf("radix_shared").time_us.value),
  );
});

pageTest("The table of segments has the command's shares of the time", "#kernels?model=matmul_tiled", async (page) => {
  const table = page.getByRole("region", { name: "Segments of the programs" }).first();
  await table.waitFor();
  const heads = await table.locator("thead th").allTextContents();
  assert.equal(heads[1], "share of the time %");
  const shown = await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.children[1].textContent));
  const { segments } = predictionOf("matmul_tiled").launches[0].breakdown;
  assert.deepEqual(shown, segments.map(({ share }) => (100 * share).toFixed(1)));
});

pageTest("Every picture of a launch is saved as SVG and PNG", "#kernels?model=copy", async (page) => {
  await page.waitForSelector('[data-section="What would help"] .figure', { timeout: 90_000 });
  const saved = async (group, kind) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      group.getByRole("button", { name: kind, exact: true }).click(),
    ]);
    const path = join(scratch, `${Math.random()}`);
    await download.saveAs(path);
    return readFileSync(path);
  };
  const groups = await page.locator(".launch .takeaways").all();
  assert.equal(groups.length, 7); // reasons, units, timeline, segments, what-ifs, blocks, GPUs
  for (const group of groups) {
    const text = (await saved(group, "SVG")).toString();
    assert.match(text, /^<svg [^]*<\/svg>$/);
    assert.ok(!text.includes("var(--") && !text.includes("class="), "the picture depends on the page");
    assert.deepEqual([...(await saved(group, "PNG")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  }
});

pageTest("The timeline tells the bar under the pointer", "#kernels?model=norm_group", async (page) => {
  const section = page.locator('[data-section="Timeline of an SM"]');
  await section.locator(".drawing svg").hover({ position: { x: 500, y: 30 } });
  await section.locator(".told", { hasText: /^warp \d+ \(block 0\): .*, cycles [\d,]+ to [\d,]+ \(\d+\)$/ }).waitFor();
});
