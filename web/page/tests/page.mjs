// What the tests of the page share: the built page in Chromium, opened from the disk, with no network.
// PNSIM_PAGE names the page (build/page/pnsim.html), PNSIM the command, CHROMIUM the browser.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import assert from "node:assert/strict";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const pagePath = process.env.PNSIM_PAGE ?? join(root, "build/page/pnsim.html");

function firstProgram(...names) {
  for (const name of names.filter(Boolean)) {
    if (name.includes("/")) return name;
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {}
    }
  }
  return null;
}

export const chromiumPath = firstProgram(process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome");
export const commandPath = [process.env.PNSIM, join(root, "build/check/pnsim"), join(root, "build/release/pnsim"),
  join(root, "build/dev/pnsim")].find((path) => path && existsSync(path)) ?? null;

export function missing() {
  const things = [];
  if (!existsSync(pagePath)) things.push(`${pagePath} (./pnsim.sh page builds it)`);
  if (chromiumPath === null) things.push("chromium");
  if (commandPath === null) things.push("the command pnsim");
  return things.join(", ");
}

// Standard output of the command, which must succeed.
export function command(...args) {
  return execFileSync(commandPath, args, {
    encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, PNSIM_HOME: root },
  });
}

export const skip = missing() === "" ? false : `missing: ${missing()}`;
let browser;

// Call once in each file.
export function usesBrowser() {
  before(async () => {
    if (skip) return;
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  });
  after(async () => browser?.close());
}

export function address(hash = "") {
  return pathToFileURL(pagePath).href + hash;
}

// A test in a page of its own. Fails on any error on the console and on any request that leaves the
// page. `options` are those of a browser context (viewport, colorScheme, ...).
export function pageTest(name, hash, act, options = {}) {
  test(name, { skip, timeout: 180_000 }, async () => {
    const context = await browser.newContext({ viewport: { width: 1400, height: 950 }, acceptDownloads: true, ...options });
    await context.setOffline(true);
    const page = await context.newPage();
    const faults = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && faults.push(m.text()));
    page.on("pageerror", (e) => faults.push(String(e)));
    page.on("request", (r) => {
      const allowed = /^(blob|data):/.test(r.url()) || r.url().split("#")[0] === address();
      if (!allowed) faults.push(`request: ${r.url()}`);
    });
    await page.goto(address(hash));
    await page.waitForSelector("main .view", { timeout: 60_000 });
    try {
      await act(page, context);
      assert.deepEqual(faults, []);
    } finally {
      if (process.env.PNSIM_SHOTS) {
        mkdirSync(process.env.PNSIM_SHOTS, { recursive: true });
        await page.screenshot({ path: join(process.env.PNSIM_SHOTS, `${name.replaceAll(/[^A-Za-z0-9]+/g, "_")}.png`) }).catch(() => {});
      }
      await context.close();
    }
  });
}

// Drops files on the page as a user would: [{name, content (string or Buffer)}].
export async function drop(page, files) {
  const given = files.map((f) => ({ name: f.name, base64: Buffer.from(f.content).toString("base64") }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    }
    return data;
  }, given);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
