// The kernels: wrong, truncated, hostile and huge files; cancelling; accessibility.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drop, pageTest, root, usesBrowser } from "./page.mjs";
import {
  fileOf,
  models,
  notices,
  pagesFolder,
  predicted,
  predictionOf,
  rawVector,
  scratch,
  shownRows,
  significant,
  sourceVector,
  vectorPages,
} from "./kernels.mjs";

usesBrowser();

const alert = (page) => page.locator('.notices [role="alert"]');

// The tab is alive: good pages still give launches.
async function stillWorks(page) {
  await drop(page, vectorPages());
  await page.waitForSelector('.launches tbody tr[data-key$="0004-vector_add"]');
}

pageTest("A report gets the two commands to type", "#kernels", async (page) => {
  await drop(page, [{ name: "my.ncu-rep", content: Buffer.from([0x4e, 0x56, 0x52, 0, 1, 2, 3]) }]);
  const text = await alert(page).textContent();
  assert.match(text, /ncu --import my\.ncu-rep --page raw --csv > raw\.csv/);
  assert.match(text, /ncu --import my\.ncu-rep --page source --csv --print-source sass > source\.csv/);
  await stillWorks(page);
});

const wrong = [
  [
    "a picture",
    "x.csv",
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]),
    /x\.csv is a picture\. This view takes the raw and the source page/,
  ],
  ["an archive", "raw.csv", Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), /raw\.csv is an archive\. Unpack it/],
  ["an empty file", "raw.csv", "", /neither a raw page nor a source page/],
  [
    "a details page",
    "x.csv",
    '"ID","Process ID","Section Name","Metric Name"\n"0","1","a","b"\n',
    /neither a raw page/,
  ],
  ["a raw page of the header alone", "x.raw.csv", '"ID","Kernel Name","launch__grid_size"\n', /at least one launch/],
];
for (const [what, name, content, message] of wrong) {
  pageTest(`A message for ${what}`, "#kernels", async (page) => {
    await drop(page, [{ name, content }]);
    await alert(page).waitFor();
    assert.match(await alert(page).textContent(), message);
    await stillWorks(page);
  });
}

pageTest("A broken kernel model has the command's message in its row", "#kernels", async (page) => {
  await drop(page, [
    { name: "cut.json", content: '{"kind": "kernel-model", "version": 2, "na' },
    { name: "other.json", content: '{"kind": "device"}' },
  ]);
  await predicted(page, 1);
  assert.match(await page.locator(".launches td.warnings pre").textContent(), /cut\.json: parse error/);
  assert.match(await alert(page).textContent(), /other\.json is JSON, but no kernel model/);
  await page.locator(".launches tbody a").first().click();
  await page.waitForSelector(".launch .failure");
});

pageTest("A net is sent to the token game", "#kernels", async (page) => {
  await drop(page, [fileOf(join(root, "models/nets/wpnm.json"))]);
  await alert(page).waitFor();
  assert.match(await alert(page).textContent(), /wpnm\.json is a net.*token game/);
});

pageTest("Truncated pages give messages, and whole launches stay", "#kernels", async (page) => {
  const raw = readFileSync(rawVector),
    source = readFileSync(sourceVector);
  await drop(page, [
    { name: "a.raw.csv", content: raw.subarray(0, raw.length - 300) },
    fileOf(sourceVector, "a.source.csv"),
  ]);
  await notices(page).locator(".notice").first().waitFor();
  assert.match(await notices(page).textContent(), /a\.raw\.csv: line 7: found an opening quote that is never closed/);
  await drop(page, [
    fileOf(rawVector, "b.raw.csv"),
    { name: "b.source.csv", content: source.subarray(0, source.length * 0.7) },
  ]);
  await page.waitForFunction(() => /b\.source\.csv/.test(document.querySelector(".notices").textContent));
  await stillWorks(page);
});

pageTest("Names of kernels are text, whatever they contain", "#kernels", async (page) => {
  const hostile = "<img src=x onerror=window.hit=1><script>window.hit=1</script>&amp;\u202e";
  const change = (path) => readFileSync(path, "utf8").replaceAll(/vector_add(?=\()/g, hostile);
  await drop(page, [
    { name: "raw.csv", content: change(rawVector) },
    { name: "source.csv", content: change(sourceVector) },
  ]);
  await predicted(page, 5);
  assert.match((await shownRows(page))[0][1], /window\.hit=1&amp;/);
  await page.locator(".launches tbody a").first().click();
  await page.waitForSelector('[data-section="What would help"] .figure', { timeout: 60_000 });
  assert.ok(
    (await page.locator(".fullname, .kernelname").allTextContents())
      .join(" ")
      .includes("<img src=x onerror=window.hit=1>"),
  );
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator("main img, main script").count(), 0);
});

pageTest("A file of 1 GB and a page of two million rows are refused", "#kernels", async (page) => {
  const give = (name, bytes) =>
    page.evaluate(
      ([n, size]) => {
        const part = new Uint8Array(1 << 20).fill(10);
        part.set(new TextEncoder().encode("ID,Kernel Name,launch__grid_size\n"));
        const data = new DataTransfer();
        data.items.add(new File(new Array(size >> 20).fill(part), n));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
      },
      [name, bytes],
    );
  await give("giant.raw.csv", 1 << 30);
  await alert(page).waitFor();
  assert.match(await alert(page).textContent(), /giant\.raw\.csv has 1\.1 GB; the engine reads files of up to 268 MB/);
  const rows = Array.from({ length: 2_000_000 }, (_, i) => `${i},k`).join("\n");
  await drop(page, [{ name: "many.raw.csv", content: `ID,Kernel Name\n,\n${rows}\n` }]);
  await page.waitForFunction(() =>
    /many\.raw\.csv/.test(document.querySelector('.notices [role="alert"]')?.textContent ?? ""),
  );
  assert.match(await alert(page).textContent(), /more than 20,000 launches.*--launch-count/);
  await stillWorks(page);
});

// A source page as large as one of a training step: the SASS of one launch, over and over.
function largeSource(path, bytes) {
  const text = readFileSync(join(pagesFolder, "norm_group.source.csv"), "utf8").trimEnd().split("\n");
  const rows = `${text.slice(2).join("\n")}\n`;
  writeFileSync(path, `${text[0]}\n${text[1]}\n${rows.repeat(Math.ceil(bytes / rows.length))}`);
  return path;
}

pageTest("A large page is read with progress and without freezing, and can be cancelled", "#kernels", async (page) => {
  await predicted(page, models.length);
  await page.evaluate(() => {
    window.gaps = [];
    window.said = new Set();
    let last = performance.now();
    const frame = () => {
      const now = performance.now();
      window.gaps.push(now - last);
      window.said.add(document.getElementById("status").textContent);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const large = largeSource(join(scratch, "norm_group.source.csv"), 135e6);
  await page.setInputFiles("input[type=file]", [large, join(pagesFolder, "norm_group.raw.csv")]);
  await page.waitForFunction(() => /^Deriving/.test(document.getElementById("status").textContent));
  await page.locator("#cancel").click();
  await page.waitForFunction(() => document.getElementById("status").textContent === "Cancelled.");
  assert.equal(await alert(page).count(), 0);
  const { worst, said } = await page.evaluate(() => ({ worst: Math.max(...window.gaps), said: [...window.said] }));
  assert.ok(worst < 1000, `a frame took ${worst} ms`);
  assert.ok(
    said.filter((text) => /^Loading norm_group\.source\.csv: \d+ MB of 135 MB/.test(text)).length >= 2,
    said.join("; "),
  );
  await stillWorks(page);
});

pageTest("Cancelled predictions can be continued", "#kernels", async (page) => {
  await page.waitForFunction(() => /predicted\) \.\.\.$/.test(document.getElementById("status").textContent));
  await page.evaluate(() => document.getElementById("cancel").click());
  await page.getByRole("button", { name: "Predict the rest" }).click();
  await predicted(page, models.length);
});

pageTest("A link to files that are not here asks for them", "#kernels?from=files&launch=0003-x", async (page) => {
  await page.waitForSelector("main .view .controls");
  assert.match(
    await page.locator("main .view").textContent(),
    /This link is about the launch 0003-x of a file.*drop its pages again/,
  );
});

for (const colorScheme of ["light", "dark"]) {
  pageTest(
    `Axe finds nothing serious in the ${colorScheme} theme`,
    "#kernels",
    async (page) => {
      const axe = readFileSync(join(root, "web/page/node_modules/axe-core/axe.min.js"), "utf8");
      const check = async () => {
        await page.addScriptTag({ content: axe });
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(
          violations
            .filter((v) => ["serious", "critical"].includes(v.impact))
            .map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html)]),
          [],
        );
      };
      await drop(page, vectorPages());
      await predicted(page, 5);
      await check();
      await page.locator(".launches tbody a").first().click();
      await page.waitForSelector('[data-section="What would help"] .figure', { timeout: 60_000 });
      await check();
    },
    { bypassCSP: true, colorScheme },
  );
}

pageTest("Cancelled what-ifs can be computed afterwards", "#kernels?model=radix_shared", async (page) => {
  await page.waitForSelector('[data-section="GPUs side by side"] .figure', { timeout: 60_000 });
  await page.evaluate(() => document.getElementById("cancel").click());
  const section = page.locator('[data-section="What would help"]');
  await section.getByRole("button", { name: "Compute it" }).click();
  await section.locator("svg").waitFor({ timeout: 60_000 });
});

pageTest("Leaving a launch ends its computations", "#kernels?model=radix_shared", async (page) => {
  await page.waitForSelector(".launch .figure");
  await page.getByRole("link", { name: "All launches" }).click();
  await predicted(page, models.length);
});

// A loop of 10^9 iterations in each warp.
const endless = {
  kind: "kernel-model",
  version: 2,
  name: "endless",
  description: "A loop that takes minutes.",
  net: "sm",
  device: "h200",
  problem: { block: 64, grid: 132 },
  provenance: { from: "an example, not a measurement" },
  points: [
    {
      problem: { block: 64, grid: 132 },
      launches: [
        {
          kernel: "endless",
          grid: 132,
          block: 64,
          resident_blocks: 1,
          segments: [{ end: "edge", classes: { int: 3 } }],
          warps: [{ count: 264, program: [{ repeat: 1_000_000_000, body: [0] }] }],
          blocks: [{ count: 132, warps: [[0, 2]] }],
        },
      ],
    },
  ],
};

pageTest("A prediction that takes minutes is cancelled, and the others go on", "#kernels", async (page) => {
  await predicted(page, models.length);
  await drop(page, [
    { name: "a.json", content: JSON.stringify(endless) },
    fileOf(join(root, "models/copy.json"), "b.json"),
  ]);
  await page.waitForFunction(() => /^Predicting endless/.test(document.getElementById("status").textContent));
  await page.waitForTimeout(4500);
  await page.locator("#cancel").click();
  await page.getByRole("button", { name: "Predict the rest" }).click();
  await predicted(page, 2);
  assert.match(await page.locator(".launches td.warnings pre").textContent(), /^Cancelled after \d+ s/);
  assert.equal((await shownRows(page))[1][3], significant(predictionOf("copy").time_us.value));
});
