// Paper, and screens as narrow as a telephone's.

import assert from "node:assert/strict";
import { predicted, vectorPages } from "./kernels.mjs";
import { drop, pageTest, usesBrowser } from "./page.mjs";

usesBrowser();

const onPaper = async (page) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const text = await page.evaluate(() => document.body.innerText);
  // Dark text: paper is white.
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(27, 31, 36)");
  assert.equal(await page.locator("nav:visible, footer:visible, form:visible, .controls:visible, .takeaways:visible").count(), 0);
  return text;
};

pageTest("The printed explorer has all parameters", "#explorer?W=8&S=2&l1=100&net=wpnm_literal&seed=3", async (page) => {
  await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
  assert.equal(await page.locator(".printed:visible").count(), 0);
  assert.ok((await onPaper(page)).includes("Parameters: wpnm_literal, W = 8, S = 2, l1 = 100, l2 = 2, xa = 24, xs = 6, xg = 4, seed 3."));
});

pageTest("A printed launch has its GPU, its name and its files", "#kernels", async (page) => {
  await drop(page, vectorPages());
  await predicted(page, 5);
  await page.locator(".launches tbody a").first().click();
  await page.waitForSelector(".launch .facts");
  const text = await onPaper(page);
  assert.match(text, /GPU: the profiled one \(NVIDIA H200\)\. Launch: vector_add, ID 0\. Files: ncu_raw\.csv, ncu_source\.csv\./);
});

pageTest("The printed token game has its parameters", "#game?W=3&seed=5&step=2", async (page) => {
  await page.waitForFunction(() => document.querySelector(".view.game")?.dataset.step === "2");
  assert.match(await onPaper(page), /Net wpnm: .*W = 3.*, seed 5, after 2 steps\./);
});

// Records the widest that the document has been in any frame.
const watch = (page) => page.evaluate(() => {
  window.widest = { over: 0, what: "" };
  const frame = () => {
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over > window.widest.over) {
      const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
      window.widest = { over, what: wide.slice(-3).map((e) => e.outerHTML.slice(0, 120)).join("\n") };
    }
    requestAnimationFrame(frame);
  };
  frame();
});
const widest = (page) => page.evaluate(() => window.widest);

for (const width of [360, 420]) {
  const narrow = { viewport: { width, height: 800 } };
  const fits = (name, hash, act) => pageTest(`${width} px: ${name} does not scroll sideways`, hash, async (page) => {
    await watch(page);
    await act(page);
    const { over, what } = await widest(page);
    assert.equal(over, 0, what);
  }, narrow);

  fits("the explorer", "#explorer?W=8&S=2&l1=60&base=wpnm,8,2,20,2,24,6,4,1&bad=link", async (page) => {
    await page.waitForSelector(".surface[data-done]", { timeout: 30_000 });
    const outside = await page.$$eval("form :is(input, select, button)", (all) => all.filter((e) => e.getBoundingClientRect().right > innerWidth).length);
    assert.equal(outside, 0);
  });
  fits("the explorer that computes", "#explorer?W=65536&xa=1000&xs=1000", async (page) => {
    await page.locator("#cancel").waitFor({ state: "visible", timeout: 20_000 });
    await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("Computing one run"));
    await page.locator("#cancel").click();
  });
  fits("the token game", "#game?W=2&step=3", async (page) => {
    await page.waitForFunction(() => document.querySelector(".view.game")?.dataset.step === "3");
    await page.getByRole("button", { name: "How the literal net loses" }).click();
    await page.waitForFunction(() => document.querySelector(".explanation").textContent !== "");
  });
  fits("the table of launches", "#kernels", async (page) => {
    await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("Predicting"));
    await drop(page, [...vectorPages(), { name: `${"long_name_of_a_file".repeat(9)}.bin`, content: "?" }]);
    await predicted(page, 5);
  });
  fits("the page of a launch", "#kernels?model=radix_shared", async (page) => {
    await page.waitForSelector('[data-section="GPUs side by side"] .figure', { timeout: 60_000 });
  });
}
