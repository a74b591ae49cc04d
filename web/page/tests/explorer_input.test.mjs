// The explorer by keyboard: numbers that are typed, the map of cells; and what is said while it computes.

import assert from "node:assert/strict";
import { command, pageTest, usesBrowser } from "./page.mjs";

usesBrowser();

const number = (page, key) => page.locator(`input[type=number][data-key=${key}]`);
const shownOf = (page) => page.$eval(".view", (view) => view.dataset.shown);
const shows = (page, packed) => page.waitForFunction((p) => document.querySelector(".view").dataset.shown === p, packed);

// All parameters that were shown since then, the first ones first.
const record = (page) => page.evaluate(() => {
  const view = document.querySelector(".view");
  window.seen = [];
  new MutationObserver(() => window.seen.push(view.dataset.shown)).observe(view, { attributeFilter: ["data-shown"] });
});
const seen = (page) => page.evaluate(() => [...new Set(window.seen)]);

pageTest("A number that is being typed is pending, and no prefix of it is shown", "", async (page) => {
  await shows(page, "wpnm,16,4,20,2,24,6,4,1");
  await record(page);
  // On a busy machine the pause may be over before a look from here: the page itself keeps watch.
  await number(page, "l1").evaluate((field) => {
    window.wasPending = false;
    new MutationObserver(() => (window.wasPending ||= field.dataset.pending !== undefined)).observe(field, {
      attributeFilter: ["data-pending"],
    });
  });
  await number(page, "l1").press("Control+a");
  await number(page, "l1").pressSequentially("128", { delay: 80 });
  await page.waitForFunction(() => window.wasPending);
  await shows(page, "wpnm,16,4,128,2,24,6,4,1");
  assert.deepEqual(await seen(page), ["wpnm,16,4,128,2,24,6,4,1"]);
  assert.equal(await page.locator("input[data-pending]").count(), 0);
});

pageTest("Enter, leaving the field and the arrows do not wait for a pause", "", async (page) => {
  await shows(page, "wpnm,16,4,20,2,24,6,4,1");
  const pending = async (act) => {
    await act();
    return page.locator("input[data-pending]").count();
  };
  await number(page, "l1").press("Control+a");
  await number(page, "l1").pressSequentially("64");
  assert.equal(await pending(() => page.keyboard.press("Enter")), 0);
  await shows(page, "wpnm,16,4,64,2,24,6,4,1");
  await number(page, "l2").press("Control+a");
  await number(page, "l2").pressSequentially("9");
  assert.equal(await pending(() => page.keyboard.press("Tab")), 0);
  await shows(page, "wpnm,16,4,64,9,24,6,4,1");
  await number(page, "S").focus();
  assert.equal(await pending(() => page.keyboard.press("ArrowUp")), 0);
  await shows(page, "wpnm,16,5,64,9,24,6,4,1");
  // A slider that is moved takes the place of a number that is half typed.
  await number(page, "l1").press("Control+a");
  await number(page, "l1").pressSequentially("99");
  await page.locator("input[type=range][data-key=l1]").fill("30");
  await shows(page, "wpnm,16,5,30,9,24,6,4,1");
  await page.waitForTimeout(400);
  assert.equal(await shownOf(page), "wpnm,16,5,30,9,24,6,4,1");
});

pageTest("The keyboard enters the map at the present cell, and the focus stays", "#explorer?l1=200&l2=20", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  const map = page.locator(".surface svg");
  const label = () => map.getAttribute("aria-label");
  const isFocused = () => page.evaluate(() => document.activeElement?.closest(".surface svg") !== null);
  await map.focus();
  assert.match(await label(), /^Steps over l1 and l2\. l1 = 200, l2 = 20: [\d,]+ steps\. The arrow keys move/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  const value = await page.locator('.surface rect[data-l1="220"][data-l2="22"]').getAttribute("data-value");
  assert.ok((await label()).includes(`l1 = 220, l2 = 22: ${Number(value).toLocaleString("en")} steps`), await label());
  assert.equal(await page.textContent(".surface .readout"), `l1 = 220, l2 = 22: ${Number(value).toLocaleString("en")} steps`);
  await page.keyboard.press("Enter");
  await shows(page, "wpnm,16,4,220,22,24,6,4,1");
  await page.waitForTimeout(400); // the map is drawn anew when the parameters rest
  assert.ok(await isFocused());
  await page.keyboard.press("ArrowLeft");
  assert.match(await label(), /l1 = 200, l2 = 22: /);
  // Another parameter computes the surface anew.
  await page.evaluate(() => {
    const input = document.querySelector("input[type=range][data-key=xg]");
    input.value = "9";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.waitForFunction(() => document.querySelector(".surface").dataset.done === "2");
  assert.ok(await isFocused());
  assert.match(await label(), /l1 = 200, l2 = 22: /);
});

pageTest("A recorded kernel has the total of its sort", "", async (page) => {
  await page.waitForFunction(() => document.querySelectorAll("form select")[1].options.length > 5);
  assert.equal(await page.locator(".program:visible").count(), 0);
  const choice = page.getByLabel("counts of a recorded kernel");
  await choice.selectOption({ index: 1 });
  await page.locator(".program:visible").waitFor();
  const total = async (...sets) => {
    const answer = JSON.parse(command("--model", "radix_shared", "--net", "wpnm", "--json", "-q", ...sets));
    const text = `${answer.steps.mean.toLocaleString("en", { maximumFractionDigits: 1 })} steps`;
    await page.waitForFunction((t) => document.querySelector('[data-figure="total"]')?.textContent === t, text);
    return answer;
  };
  const answer = await total("--set", "S=4", "--set", "l1=20", "--set", "l2=2");
  assert.equal(await page.locator(".program tbody tr").count(), answer.launches.length + 1);
  await page.locator("input[type=range][data-key=l1]").fill("200");
  await total("--set", "S=4", "--set", "l1=200", "--set", "l2=2");
  assert.notEqual(await choice.inputValue(), "");
  await page.locator("input[type=range][data-key=xa]").fill("7");
  await page.locator(".program").waitFor({ state: "hidden" });
  assert.equal(await choice.inputValue(), "");
});

pageTest("A surface that takes long says how many cells are done, and the seconds", "#explorer?W=2000&xa=100&xs=20", async (page) => {
  const cells = /^Surface over l1 and l2: (\d+) of 441 cells computed/;
  await page.waitForFunction(() => /^Surface over l1 and l2: \d+ of 441/.test(document.getElementById("status").textContent), null, { timeout: 60_000 });
  assert.match(await page.textContent("#status"), cells);
  assert.match(await page.textContent(".surface"), /\d+ of 441 cells computed\./);
  await page.waitForFunction(() => /^[1-9]\d* s$/.test(document.getElementById("elapsed").textContent) && !document.getElementById("elapsed").hidden);
  await page.locator("#cancel").click();
  await page.locator("#elapsed").waitFor({ state: "hidden" });
});

pageTest("A number that is being typed when the view is left changes nothing", "", async (page) => {
  await shows(page, "wpnm,16,4,20,2,24,6,4,1");
  for (const text of ["64", "-5"]) {
    await number(page, "l1").press("Control+a");
    await number(page, "l1").pressSequentially(text);
    await page.evaluate(() => { location.hash = "#game"; });
    await page.waitForFunction(() => document.querySelector(".view.game")?.dataset.step === "0");
    await page.waitForTimeout(500);
    assert.match(page.url(), /#game$/);
    assert.equal(await page.textContent("#status"), "");
    await page.goBack();
    await shows(page, "wpnm,16,4,20,2,24,6,4,1");
  }
});

pageTest("A sort whose launches cannot be computed has a message", "", async (page) => {
  await page.waitForFunction(() => document.querySelectorAll("form select")[1].options.length > 5);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      const isProgram = message.name === "run" && message.args[0].includes("--json");
      post.call(this, isProgram ? { ...message, name: "nothing" } : message, ...rest);
    };
  });
  await page.getByLabel("counts of a recorded kernel").selectOption({ index: 1 });
  await page.waitForFunction(() => document.getElementById("status").textContent ===
    "The launches of radix_shared were not computed: the engine has no call nothing");
  assert.equal(await page.locator("#status").getAttribute("class"), "error");
  assert.equal(await page.locator(".program:visible").count(), 0);
});
