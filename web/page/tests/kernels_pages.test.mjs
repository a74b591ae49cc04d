// What the kernels view reads of profile pages itself, and says of answers, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, skip } from "./page.mjs";
import { pagesFolder, rawVector, sourceVector } from "./kernels.mjs";

async function module(name) {
  const { build } = await import("esbuild");
  const entry = join(root, "web/page/src/views/kernels", name);
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

const fileOf = (content, name = "page.csv") => ({
  name,
  bytes: content.length,
  stream: () => new Blob([content]).stream(),
});
const rawOf = async (content, encoding = "utf-8", most = 1000) =>
  (await module("raw_page.ts")).readRawPage(fileOf(content), encoding, most, () => {});

test("Rows are the same wherever the chunks of a page end", { skip }, async () => {
  const { CsvReader } = await module("raw_page.ts");
  const text = 'ID,Name\r\n1,"a ""quoted"", name"\r\n2,"two\nlines"\r\n3,plain\r\n4,""';
  const rows = (chunk) => {
    const found = [];
    const reader = new CsvReader(",", (cells) => found.push(cells));
    for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk), at + chunk >= text.length);
    return found;
  };
  const wanted = [
    ["ID", "Name"],
    ["1", 'a "quoted", name'],
    ["2", "two\nlines"],
    ["3", "plain"],
    ["4", ""],
  ];
  for (const chunk of [1, 2, 3, 7, 1000]) assert.deepEqual(rows(chunk), wanted, `chunks of ${chunk}`);
});

test("A page in UTF-16 and one with lines of the profiler read like the plain one", { skip }, async () => {
  const plain = readFileSync(rawVector, "utf8");
  const wanted = await rawOf(plain);
  assert.equal(wanted.length, 5);
  assert.deepEqual(await rawOf(Buffer.from(`\ufeff${plain}`, "utf16le"), "utf-16le"), wanted);
  assert.deepEqual(await rawOf(`==PROF== Connected to process 1\n${plain}`), wanted);
});

test("Stall shares come from ratios, or else from samples, and add up to 1", { skip }, async () => {
  const name = (reason) => `smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio`;
  const page = (columns, cells) => `ID,Kernel Name,${columns}\n,,\n0,k,${cells}\n`;
  const shares = async (text) => Object.fromEntries((await rawOf(text))[0].stalls ?? []);
  assert.deepEqual(await shares(page(`${name("wait")},${name("barrier")}`, "1.5,4.5")), { wait: 0.25, barrier: 0.75 });
  const samples = ["wait", "wait_not_issued", "no_instructions"].map(
    (reason) => `smsp__pcsamp_warps_issue_stalled_${reason}`,
  );
  assert.deepEqual(await shares(page(samples.join(), "30,7,10")), { wait: 0.75, no_instruction: 0.25 });
  assert.deepEqual(await shares(page("other", "1")), {});
});

test("Segments have the shares of the time that the prediction has for them", { skip }, async () => {
  const { segmentRows } = await module("segments.ts");
  const segment = (int) => ({ end: "edge", classes: { int } });
  const launch = { kernel: "k", segments: [segment(1), segment(3)], warps: [{ count: 2, program: [0, 1] }] };
  const shares = [
    { segment: 1, share: 0.9 },
    { segment: 0, share: 0.1 },
  ];
  const rows = segmentRows(launch, shares);
  assert.deepEqual(rows.map((row) => row.time), [0.1, 0.9]);
  assert.deepEqual(rows.map((row) => row.share), [0.25, 0.75], "of the warp instructions");
  assert.deepEqual(segmentRows(launch).map((row) => row.time), [null, null]);
});

test("A page of too many launches is refused", { skip }, async () => {
  await assert.rejects(rawOf("ID,Kernel Name\n0,k\n1,k\n2,k\n", "utf-8", 2), /more than 2 launches/);
});

for (const [name, raw, source] of [
  ["vectors", rawVector, sourceVector],
  ...["norm_group", "radix_shared", "radix_report_shared", "sobel_tiled", "torch"].map((page) => [
    page,
    join(pagesFolder, `${page}.raw.csv`),
    join(pagesFolder, `${page}.source.csv`),
  ]),
]) {
  test(`Every launch of ${name} has its table of the source page`, { skip }, async () => {
    const { matchTables, tablesOf } = await module("source_page.ts");
    const launches = await rawOf(readFileSync(raw));
    const tables = await tablesOf(fileOf(readFileSync(source)), "utf-8", () => {});
    const found = matchTables(tables, launches);
    launches.forEach((launch, i) => {
      assert.notEqual(found[i], null, launch.name);
      const off = Math.abs(found[i].executed / launch.instructions - 1);
      assert.ok(
        off < 0.1, // warps of one launch spin: their tests differ from run to run
        `${launch.name}: ${found[i].executed} of ${launch.instructions}`,
      );
    });
    assert.equal(new Set(found).size, launches.length);
  });
}

test("A what-if that makes the launch longer is explained beside the bars", { skip }, async () => {
  const { anomalyNote } = await module("what_if.ts");
  const row = (what, change_percent, told = "change") => ({ what, change_percent, told });
  const slower = [row("twice the L2 bandwidth", 8.4), row("full coalescing", 0.3, "noise"), row("tile = 32", 20), row("no barriers", -3)];
  assert.match(
    anomalyNote(slower),
    /^Longer although a cost is taken away: twice the L2 bandwidth \(\+8\.4 %\)\. .*arbitration is random/,
  );
  assert.equal(anomalyNote(slower.slice(1)), null);
});

test("Files are recognised by their content", { skip }, async () => {
  const { recognise, stemOf } = await module("../../recognise.ts");
  const kind = async (content, name) => (await recognise(fileOf(content, name))).kind;
  assert.equal(await kind(readFileSync(rawVector), "source.csv"), "raw");
  assert.equal(await kind(readFileSync(sourceVector), "raw.csv"), "source");
  assert.equal(await kind(readFileSync(join(root, "models/copy.json")), "x.csv"), "model");
  assert.equal(await kind(readFileSync(join(root, "models/nets/wpnm.json")), "x.json"), "net");
  assert.equal(await kind(Buffer.from("NVR\0\0"), "x"), "report");
  assert.equal(await kind(Buffer.from([1, 2, 3]), "x.csv"), "unknown");
  assert.equal(await kind(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "x.csv"), "picture");
  assert.equal(await kind("<!-- a --> <svg/>", "x.xml"), "picture");
  assert.equal(await kind('<?xml version="1.0"?>\n<!-- a -- b - -->\n<!----><!DOCTYPE svg PUBLIC "x">\n<svg width="1"/>', "x.xml"), "picture");
  assert.equal(await kind("<pnml/>", "x.xml"), "unknown");
  assert.equal(await kind("<!-- <svg/> --><pnml/>", "x.xml"), "unknown");
  assert.deepEqual(["x.raw.csv", "x.source.csv", "x_raw (1).csv", "raw.csv"].map(stemOf), ["x", "x", "x", ""]);
});

test("Files that begin with many comments, blanks or keys are recognised at once", { skip }, async () => {
  const { recognise } = await module("../../recognise.ts");
  const comments = "<!-- a --> ".repeat(1000);
  const long = 1 << 16;
  for (const [content, kind] of [
    [comments, "unknown"],
    [`${comments}<svg/>`, "picture"],
    [`<!--${"x".repeat(long - 100)}--><svg/>`, "picture"],
    ["<!--".repeat(long / 4), "unknown"],
    [`<!--${"-".repeat(long)}`, "unknown"],
    ["<!---->".repeat(long / 7), "unknown"],
    [" ".repeat(long), "unknown"],
    [`<!-- a -->${" ".repeat(long)}`, "unknown"],
    [`<?xml ${"<?xml ".repeat(long / 6)}`, "unknown"],
    [`{${'"kind" '.repeat(long / 7)}`, "model"],
    [`{"kind"${" ".repeat(long)}`, "model"],
    ["\r".repeat(long), "unknown"],
  ]) {
    const begin = performance.now();
    assert.equal((await recognise(fileOf(content))).kind, kind, content.slice(0, 30));
    const ms = performance.now() - begin;
    assert.ok(ms < 500, `${content.slice(0, 30)}: ${ms} ms`);
  }
});

test("The sizes of a filter in the name of a kernel are not taken for those of a tile", { skip }, async () => {
  const { fixedTile } = await module("model_file.ts");
  const tile = (kernel) => fixedTile({ problem: {}, points: [{ problem: {}, launches: [{ kernel, warps: [] }] }] });
  for (const name of ["conv_3x3", "conv_7x7_s2", "blur_5x128", "im2col_1x8", "copy", "gemm_x128x64", "matrix4x4"]) assert.equal(tile(name), null, name);
  assert.equal(tile("sgemm_128x64_nn"), "a tile in its name (128x64)");
  assert.equal(tile("conv_3x3_tile_8x16"), "a tile in its name (8x16)");
});

test("Every state of a warp of the shipped net of an SM has a group of reasons", { skip }, async () => {
  const { groups, partsOf } = await module("reason_groups.ts");
  const net = JSON.parse(readFileSync(join(root, "models/nets/sm.json"), "utf8"));
  const states = [];
  const collect = (value) => {
    if (Array.isArray(value?.states) && value.scope === "warp") states.push(...value.states.map((state) => state.name));
    else if (value !== null && typeof value === "object") Object.values(value).forEach(collect);
  };
  collect(net);
  assert.ok(states.includes("issued") && states.includes("loads"), states.join());
  const grouped = groups.flatMap((group) => group.net);
  assert.deepEqual(states.filter((state) => !grouped.includes(state)), []);
  assert.equal(partsOf({ constants: 0.1 }, "net")[0].group, "shared");
});
