// Nets of the user's own in the token game: files, the editor, and input that is refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atStep, compare, drawn, fault, forward, link, opened, press, shown, stepOf, trace } from "./game_page.mjs";
import { address, drop, pageTest, root, usesBrowser } from "./page.mjs";

usesBrowser();

const data = (file) => join(root, "tests/data", file);

const files = ["vectors/wpnm_literal_2w.pnml", "vectors/random_a.pnml", "vectors/random_b.pnml", "pnml/gate_tina.pnml",
  "pnml/gate_special_arcs.pnml", "pnml/gate_pipe.xml"];
for (const file of files) {
  pageTest(`Game: a dropped ${file} runs as with the command`, "#game", async (page) => {
    const name = file.split("/")[1];
    await drop(page, [{ name, content: readFileSync(data(file)) }]);
    await opened(page, name);
    const lines = trace(data(file), 1, {}, ["--max-steps", "12"]);
    for (let step = 0; step < lines.length; ++step) {
      if (step > 0) await forward(page);
      await atStep(page, step);
      await compare(page, lines, step);
    }
    const at = lines.length - 1;
    await page.waitForFunction((s) => s === 0 || location.hash.includes(`step=${s}`), at);
    await page.reload(); // the link has the net
    await atStep(page, at);
    await compare(page, lines, at);
  });
}

pageTest("Game: a dropped template has its parameters as fields", "#game", async (page) => {
  const path = join(root, "models/nets/wpnm.json");
  await drop(page, [{ name: "my net.json", content: readFileSync(path) }]);
  await opened(page, "my net.json");
  await page.fill("input[name=l1]", "3");
  await page.fill("input[name=W]", "2");
  await page.press("input[name=W]", "Enter");
  await page.waitForFunction(() => document.querySelectorAll("select[name=instances] option").length === 4);
  const lines = trace(path, 1, { W: 2, l1: 3 });
  for (let step = 1; step <= 10; ++step) {
    await forward(page);
    await atStep(page, step);
    await compare(page, lines, step);
  }
});

pageTest("Game: a PNML net that was dropped on another view opens here", "#explorer", async (page) => {
  await drop(page, [{ name: "gate.pnml", content: readFileSync(data("pnml/gate_tina.pnml")) }]);
  await page.waitForSelector(".view.game");
  await opened(page, "gate.pnml");
  assert.equal(await page.locator(".nodes .node").count(), 6);
});

pageTest("Game: a net is edited as text, and an error has its place", "#game", async (page) => {
  await page.click("summary");
  await press(page, "Take a small example");
  await press(page, "Load this text");
  await page.waitForFunction(() => document.querySelectorAll(".nodes .place").length === 3);
  await forward(page);
  await atStep(page, 1);
  const text = await page.inputValue("textarea");
  await page.fill("textarea", text.replace('"takes": {"pool": 1, "todo.1": 1}', '"takes": {"pol": 1}'));
  await press(page, "Load this text");
  await page.waitForSelector(".editor .failure:not(:empty)");
  assert.match(await page.textContent(".editor .failure"), /\/transitions\/2.*pol/s);
  const marked = () => page.$eval("textarea", (a) => a.value.slice(a.selectionStart, a.selectionEnd));
  assert.equal(await marked(), "1"); // the weight of "pol"
  await page.fill("textarea", text.replace('{"name": "done"}\n  ],', '{"name": "done"}\n  '));
  await press(page, "Load this text");
  await page.waitForFunction(() => /line \d+, column \d+/.test(document.querySelector(".editor .failure").textContent));
  const place = await page.$eval("textarea", (a) => a.value.slice(0, a.selectionEnd).split("\n").length);
  assert.equal(String(place), /line (\d+)/.exec(await page.textContent(".editor .failure"))[1]);
  // The game before goes on.
  assert.equal(await stepOf(page), 1);
  await forward(page);
  await atStep(page, 2);
  await page.fill("textarea", text);
  await press(page, "Load this text");
  await atStep(page, 0);
  assert.equal(await page.textContent(".editor .failure"), "");
});

pageTest("Game: the present net can be changed as text", link({ W: 2 }), async (page) => {
  await atStep(page, 0);
  await page.click("summary");
  const text = await page.inputValue("textarea");
  assert.equal(text, readFileSync(join(root, "models/nets/wpnm.json"), "utf8"));
  await page.fill("textarea", text.replace('{"name": "p0", "tokens": "S"', '{"name": "p0", "tokens": "S + 3"'));
  await press(page, "Load this text");
  await page.waitForFunction(() => document.querySelector('.nodes [data-node="p0"]').dataset.tokens === "7");
});

pageTest("Game: broken files are refused with a message and nothing is lost", link({ W: 2, step: 4 }), async (page) => {
  await atStep(page, 4);
  const was = await shown(page);
  const good = readFileSync(data("pnml/gate_tina.pnml"), "utf8");
  const broken = [
    ["cut.pnml", good.slice(0, good.length / 2)], ["empty.json", ""], ["list.json", "[1, 2]"], ["cut.json", '{"kind": "net", "places": ['],
    ["bytes.pnml", Buffer.from([0, 1, 255, 254])], ["page.xml", "<html><body>no net</body></html>"], ["deep.json", "[".repeat(200_000)],
    ["kernel.json", readFileSync(join(root, "models/radix_shared.json"))],
  ];
  for (const [name, content] of broken) {
    await drop(page, [{ name, content }]);
    assert.match(await fault(page, name), /was not opened\. \S+/);
    assert.equal(await stepOf(page), 4);
    assert.deepEqual(await shown(page), was);
  }
  await forward(page);
  await atStep(page, 5);
  assert.equal(await page.textContent(".game .fault"), "");
});

pageTest("Game: a file of another view is named, with the view that takes it", link({ W: 2, step: 2 }), async (page) => {
  await atStep(page, 2);
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
  for (const [name, content, message] of [
    ["launches.txt", readFileSync(data("vectors/ncu_raw.csv")), /It is a raw page of Nsight Compute\. Open the view Kernels and drop it there\./],
    ["code.txt", readFileSync(data("vectors/ncu_source.csv")), /It is a source page of Nsight Compute\. Open the view Kernels/],
    ["kernel.json", readFileSync(join(root, "models/radix_shared.json")), /It is a kernel model\. Open the view Kernels/],
    ["report.bin", Buffer.from("NVR\0\0"), /It is a report of Nsight Compute.* view Kernels/],
    ["drawing.png", png, /It is a picture\. The token game opens Petri nets: PNML, or a net or a net template as JSON\./],
    ["drawing.xml", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', /It is a picture\./],
    ["nets.zip", Buffer.from([0x50, 0x4b, 3, 4, 0]), /It is an archive\. Unpack it first\./],
  ]) {
    await drop(page, [{ name, content }]);
    assert.match(await fault(page, name), message);
    assert.equal(await stepOf(page), 2);
  }
});

pageTest("Game: fields with wrong values are refused", link({ W: 2, step: 3 }), async (page) => {
  await atStep(page, 3);
  const enter = async (name, value) => {
    await page.fill(`input[name=${name}]`, value);
    await page.press(`input[name=${name}]`, "Enter");
  };
  for (const [name, value] of [["W", "0"], ["W", "1.5"], ["l1", ""], ["S", "-3"], ["xa", "1e30"], ["l1", "1000000000"]]) {
    const old = await page.inputValue(`input[name=${name}]`);
    await enter(name, value);
    assert.match(await fault(page), new RegExp(`${name}: found .*, expected`));
    assert.equal(await stepOf(page), 3);
    await forward(page);
    await atStep(page, 4);
    await press(page, "◀ Back");
    await atStep(page, 3);
    await page.fill(`input[name=${name}]`, old);
  }
  await enter("W", "65536");
  assert.match(await fault(page, "net wpnm"), /at most 200000/);
  await forward(page);
  await atStep(page, 4);
});

pageTest("Game: links with wrong values open the view and say so", link({ net: "own" }), async (page) => {
  assert.match(await fault(page), /Open the file again/);
  await forward(page);
  await atStep(page, 1);
  for (const [hash, message] of [["#game?net=nothing", /known: wpnm, wpnm_literal/], ["#game?net=own&text=AAAA", /Open the file again/],
    ["#game?W=0", /W: found 0, expected/], ["#game?step=x&seed=-1&instances=77&W=2", null]]) {
    await page.goto("about:blank");
    await page.goto(address(hash));
    await page.waitForSelector(".view.game");
    await atStep(page, 0);
    if (message !== null) assert.match(await fault(page), message);
    await forward(page);
    await atStep(page, 1);
  }
});

const clock = JSON.stringify({
  kind: "net", name: "clock", places: [{ name: "on", tokens: 1 }, { name: "off" }],
  transitions: [{ name: "tick", takes: { on: 1 }, gives: { off: 1 } }, { name: "tock", takes: { off: 1 }, gives: { on: 1 } }],
});

pageTest("Game: a run without an end can be stopped, and ends at the limit", "#game", async (page) => {
  await drop(page, [{ name: "clock.json", content: clock }]);
  await opened(page, "clock.json");
  await forward(page);
  await atStep(page, 1);
  await page.getByLabel("steps to have done").fill("1000000000");
  await press(page, "Go");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("of 1,000,000,000 steps"));
  await press(page, "Reset"); // while it runs
  await atStep(page, 0);
  assert.deepEqual((await shown(page)).marking, { on: 1 });
  await press(page, "Go");
  await page.getByLabel("steps to have done").fill("1000000000");
  await press(page, "Go");
  assert.match(await fault(page), /keeps 1,000,000 steps/);
  await atStep(page, 1_000_000);
  await press(page, "◀ Back");
  await atStep(page, 999_999);
  assert.deepEqual((await shown(page)).marking, { off: 1 });
});

// A net of `size` places that is made in the page, so that its text does not travel.
async function dropLarge(page, name, size) {
  await page.evaluate(([fileName, count]) => {
    const parts = ['{"kind":"net","name":"large","places":['];
    for (let i = 0; i < count; ++i) parts.push(`${i > 0 ? "," : ""}{"name":"place ${i}x","tokens":1}`);
    parts.push('],"transitions":[{"name":"t","takes":{"place 0x":1},"gives":{"place 1x":1}}]}');
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts, fileName));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [name, size]);
}

pageTest("Game: a net of 2 million places is refused and the tab stays alive", link({ W: 2, step: 2 }), async (page) => {
  await atStep(page, 2);
  await dropLarge(page, "large.json", 1_999_999);
  const begin = Date.now(); // the page answers while the engine reads the net
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  assert.ok(Date.now() - begin < 5_000);
  assert.match(await fault(page, "large.json was not opened"), /at most 200000/);
  await forward(page);
  await atStep(page, 3);
});

pageTest("Game: a net of 100,000 places is played without a drawing", "#game", async (page) => {
  await dropLarge(page, "large.json", 100_000);
  await page.waitForSelector(".too-large", { timeout: 60_000 });
  assert.match(await page.textContent(".too-large"), /100,001 places and transitions/);
  await forward(page);
  await atStep(page, 1);
  await page.getByLabel("find places").fill("place 1x");
  await page.waitForFunction(() => document.querySelectorAll("table.marking tbody tr").length === 1);
  assert.deepEqual((await shown(page)).marking, { "place 1x": 2 });
});

pageTest("Game: a file of 1 GB is refused unread", link({ W: 2 }), async (page) => {
  await atStep(page, 0);
  await page.evaluate(() => {
    const file = new File(["<pnml/>"], "huge.pnml");
    Object.defineProperty(file, "size", { value: 1e9 });
    file.stream = () => { throw new Error("it was read"); };
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { files: [file], types: ["Files"] } });
    document.body.dispatchEvent(event);
  });
  assert.match(await fault(page, "huge.pnml was not opened"), /The file has 1\.0 GB; a net may have at most 268 MB/);
});

const hostile = [
  "<img src=x onerror='window.hurt=1'>", "</title><script>window.hurt=1</script>", "__proto__", "constructor", "javascript:window.hurt=1",
  "a\u202egnp.exe", "x".repeat(5_000), "\" onload=\"window.hurt=1", "]]><svg onload=window.hurt=1>", "=HYPERLINK(1)",
];

pageTest("Game: hostile names are text", "#game", async (page) => {
  const net = {
    kind: "net", name: "<b>net</b>", places: hostile.map((name) => ({ name, tokens: 1 })),
    transitions: hostile.map((name, i) => ({ name: `fire ${name}`, takes: Object.fromEntries([[hostile[i], 1]]) })),
  };
  await drop(page, [{ name: "<img src=x onerror=window.hurt=1>.json", content: JSON.stringify(net) }]);
  await page.waitForFunction(() => document.querySelectorAll(".nodes .place").length === 10);
  await forward(page);
  await atStep(page, 1);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  assert.equal(await page.locator(".game img, .game script, .game b b").count(), 0);
  assert.equal(await page.evaluate(() => document.body.textContent.includes("\u202e")), false);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.equal((await shown(page)).fired.length, 10);
  assert.deepEqual(await drawn(page), {});
});
