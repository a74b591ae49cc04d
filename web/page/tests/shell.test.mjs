// The page around the views.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { drop, pagePath, pageTest, skip, usesBrowser } from "./page.mjs";

usesBrowser();

test("The page is one file of at most 6 MB", { skip }, () => {
  assert.ok(statSync(pagePath).size <= 6_000_000);
});

pageTest("Tabs open the views, and the history leads back", "", async (page) => {
  for (const [title, name] of [["Token game", "game"], ["Kernels", "kernels"], ["Explorer", "explorer"]]) {
    await page.getByRole("link", { name: title }).click();
    await page.waitForSelector(`main .view.${name}`);
    assert.equal(await page.locator("nav a[aria-current]").textContent(), title);
    assert.match(page.url(), new RegExp(`#${name}`));
  }
  await page.goBack();
  await page.waitForSelector("main .view.kernels");
});

pageTest("A dropped CSV page opens the kernels", "#game", async (page) => {
  await drop(page, [{ name: "x.raw.csv", content: "nothing\n" }]);
  await page.waitForSelector("main .view.kernels");
});
