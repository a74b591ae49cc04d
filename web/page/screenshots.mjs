// Makes the pictures of the README: node screenshots.mjs [FOLDER] (docs/pictures).
// PNSIM_PAGE and CHROMIUM as in tests/page.mjs.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { address, chromiumPath, root } from "./tests/page.mjs";

const pictures = [
  { name: "explorer", hash: "#explorer?W=8&S=2&l1=100&base=wpnm,8,2,20,2,24,6,4,1", ready: ".surface[data-done]", height: 1130 },
  { name: "kernels", hash: "#kernels?model=norm_group", ready: ".kernels svg", height: 1130 },
];

const folder = process.argv[2] ?? join(root, "docs/pictures");
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
for (const { name, hash, ready, height } of pictures) {
  const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: "light" });
  await page.goto(address(hash));
  await page.waitForSelector(ready, { timeout: 60_000 });
  await page.waitForFunction(() => document.getElementById("cancel").hidden, null, { timeout: 120_000 });
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(join(folder, `${name}.png`));
  await page.close();
}
await browser.close();
