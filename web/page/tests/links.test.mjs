// Links with parts that the page does not understand.

import assert from "node:assert/strict";
import { address, pageTest, usesBrowser } from "./page.mjs";

usesBrowser();

const faults = async (page) => {
  await page.locator("#misread").waitFor();
  return page.locator("#misread li").allTextContents();
};

pageTest("An unknown view in a link is named, and the message goes with the next link", "#nothing?x=1", async (page) => {
  await page.waitForSelector("main .view.explorer");
  assert.deepEqual(await faults(page), ['The page has no view "nothing"; it has explorer, game, kernels. The view explorer is shown.']);
  await page.getByRole("link", { name: "Kernels" }).click();
  await page.locator("#misread").waitFor({ state: "hidden" });
  await page.evaluate(() => { location.hash = "#explorer?l1=7"; });
  await page.waitForSelector("main .view.explorer");
  await page.evaluate(() => { location.hash = "#nowhere"; });
  assert.match((await faults(page))[0], /no view "nowhere"/);
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator("#misread").waitFor({ state: "hidden" });
});

pageTest("The explorer says which values of a link it does not use", `#explorer?l1=1000000000&W=abc&S=-1&net=x&surface=y&l1end=0&base=wpnm,1&colour=red&xa=${"9".repeat(99)}`, async (page) => {
  const found = await faults(page);
  for (const wanted of [/^net: found "x", expected wpnm, wpnm_literal\. The net wpnm is used\.$/,
    /^l1: found "1000000000", expected an integer from 0 to 1,000,000\. 20 is used\.$/,
    /^W: found "abc", expected an integer from 1 to 65,536\. 16 is used\.$/, /^S: found "-1".*\. 4 is used\.$/,
    /^surface: found "y", expected radix_shared/, /^l1end: found 0, expected at least 1\. 400 is used\.$/,
    /^base: found "wpnm,1".*There is no baseline\.$/, /^"colour" is no setting of the view explorer; it is ignored\.$/,
    /^xa: found "9{39}…", expected/]) {
    assert.equal(found.filter((text) => wanted.test(text)).length, 1, `${wanted}: ${found.join("\n")}`);
  }
  assert.equal(found.length, 9);
  assert.equal(await page.locator("input[type=number][data-key=l1]").inputValue(), "20");
});

pageTest("A link that is opened in the same tab sets the ends of the surface", "#explorer?l1end=100", async (page) => {
  await page.waitForSelector('.surface rect[data-l1="100"]', { timeout: 60_000 });
  await page.evaluate(() => { location.hash = "#explorer?l1end=x&l2end=20"; });
  await page.waitForSelector('.surface rect[data-l1="400"][data-l2="20"]', { timeout: 60_000 });
  assert.match((await faults(page))[0], /^l1end: found "x".* 400 is used\.$/);
});

pageTest("The kernels say which values of a link they do not use", "#kernels?device=b300&beside=x&from=y&sort=z&set=n&cycles=9-1&blocks=0&part=99&model=radix_shared&tab=1", async (page) => {
  await page.waitForSelector(".launch .facts", { timeout: 60_000 });
  await page.waitForFunction(() => [...document.querySelectorAll("#misread li")].some((li) => li.textContent.startsWith("part")));
  const found = await faults(page);
  for (const key of ["device", "beside", "from", "sort", "set", "cycles", "blocks", "part"]) {
    assert.equal(found.filter((text) => text.startsWith(`${key}: found "`) && /expected .*\. \S/.test(text)).length, 1, `${key}: ${found.join("\n")}`);
  }
  assert.ok(found.includes('"tab" is no setting of the view kernels; it is ignored.'));
  await page.goto("about:blank");
  await page.goto(address("#kernels?model=nothing"));
  await page.waitForFunction(() => document.querySelector(".view")?.textContent.includes("There is no shipped model nothing."));
});

pageTest("The token game says which values of a link it does not use", "#game?step=x&seed=-1&instances=77&W=2.5&speed=3", async (page) => {
  const found = await faults(page);
  assert.deepEqual(found.map((text) => text.split(/[: ]/)[0]), ["seed", "step", "W", "instances", '"speed"']);
  assert.match(found[2], /^W: found "2\.5", expected a whole number\. 4 is used\.$/);
});

pageTest("A good link has no message, and hostile text in one is text", "#explorer?W=8&S=2&l1=100&base=wpnm,8,2,20,2,24,6,4,1", async (page) => {
  await page.waitForSelector('[data-figure="steps"]');
  assert.equal(await page.locator("#misread").isVisible(), false);
  await page.goto("about:blank");
  await page.goto(address(`#explorer?W=${encodeURIComponent("<img src=x onerror=window.hit=1>")}`));
  assert.match((await faults(page))[0], /<img src=x onerror=window\.hit=1>/);
  assert.equal(await page.locator("#misread img").count(), 0);
});

const go = (page, hash) => page.evaluate((h) => { location.hash = h; }, hash);
const isShown = (page) => page.locator("#misread").isVisible();

pageTest("A message about a link that is closed stays closed until the next link", "#kernels?tab=1", async (page) => {
  const close = () => page.getByRole("button", { name: "Close" }).click();
  const fault = (key) => `"${key}" is no setting of the view kernels; it is ignored.`;
  assert.deepEqual(await faults(page), [fault("tab")]);
  await close();
  await page.getByLabel("GPU", { exact: true }).selectOption("h100"); // the view is drawn again
  await page.waitForFunction(() => /device=h100/.test(location.hash));
  assert.equal(await isShown(page), false);
  await go(page, "#kernels?tab=1&model=copy&part=9");
  assert.deepEqual(await faults(page), [fault("tab")]);
  await page.waitForSelector(".launch .facts", { timeout: 60_000 });
  await close();
  await page.getByLabel("GPU", { exact: true }).selectOption("h100");
  await page.waitForSelector(".launch .facts", { timeout: 60_000 });
  assert.equal(await isShown(page), false);
  await go(page, "#kernels?tab=1");
  assert.deepEqual(await faults(page), [fault("tab")]);
});

pageTest("A link with many unknown keys has ten of them named", `#kernels?${Array.from({ length: 1012 }, (_, i) => `k${i}=1`).join("&")}`, async (page) => {
  const found = await faults(page);
  assert.equal(found.length, 11);
  assert.match(found[9], /^"k9" is no setting/);
  assert.equal(found[10], "And 1,002 more: the view kernels has no such settings; they are ignored.");
});

const point = `n=4096 <b>x</b> ${"y".repeat(99)}=1 ${"9".repeat(500)} ${"z=1 ".repeat(30)}`.trim();
pageTest("On paper a point has the settings that are used, and no more", `#kernels?model=copy&set=${encodeURIComponent(point)}`, async (page) => {
  assert.match((await faults(page))[0], /^set: found "/);
  const printed = await page.locator(".printed").textContent();
  assert.match(printed, /Point: n=4096, y{39}…, (z=1, ){17}z=1 and 12 more\. File: /);
});

pageTest("A token game that is left while it opens writes nothing over the next view", "#game?W=3", async (page) => {
  await page.waitForFunction(() => document.querySelector(".view.game")?.dataset.step === "0");
  // The next game is still being opened when the explorer is shown.
  await page.evaluate(async () => {
    const followed = () => new Promise((resolve) => window.addEventListener("hashchange", () => resolve(), { once: true }));
    for (const hash of ["#game?W=4&colour=red", "#explorer"]) {
      const done = followed();
      location.hash = hash;
      await done;
    }
  });
  await page.waitForSelector('.view.explorer [data-figure="steps"]');
  await page.waitForTimeout(500);
  assert.equal(await isShown(page), false);
});
