// The rows of the table of launches: what is shown, compared and filtered.

import type { Answer, Prediction } from "./answers";
import { profiledOn, type Launch } from "./session";

export interface Row {
  launch: Launch;
  answer: Answer<Prediction> | undefined; // undefined: not predicted yet
  id: number | null;
  kernel: string;
  grid: number | null;
  block: number | null;
  predicted_us: number | null;
  known_us: number | null; // profiled, or measured where a time is recorded
  error: number | null; // predicted over known - 1
  beside_us: number | null; // predicted on the other GPU
  isBesideKnown: boolean; // predicted there, or failed
  bottleneck: string; // the busiest unit, or noBottleneck
  utilisation: number;
  reason: string; // most cycles of the schedulers
  warnings: string[];
  failure: string | null;
}

// As the command says where no unit is near its limit.
export const noBottleneck = "none";

function largest(shares: Record<string, number> | undefined): [name: string, share: number] | null {
  const all = Object.entries(shares ?? {});
  return all.length === 0 ? null : all.reduce((a, b) => (b[1] > a[1] ? b : a));
}

export function knownTime(launch: Launch, prediction: Prediction | null): number | null {
  return prediction?.measured_us?.value ?? launch.profiled_us;
}

// Predicted over known - 1; null where the known time is that of another GPU.
export function errorOf(launch: Launch, prediction: Prediction | null): number | null {
  const predicted_us = prediction?.time_us.value ?? null;
  const known_us = knownTime(launch, prediction);
  const isSameGpu = prediction?.measured_us !== null || prediction?.profiled_on === undefined;
  return predicted_us !== null && known_us !== null && known_us > 0 && isSameGpu ? predicted_us / known_us - 1 : null;
}

// `other` is the answer for a second GPU.
export function rowOf(launch: Launch, answer: Answer<Prediction> | undefined, other?: Answer<Prediction>): Row {
  const prediction = answer?.value ?? null;
  const only = prediction !== null && prediction.launches.length === 1 ? prediction.launches[0]! : null;
  const predicted_us = prediction?.time_us.value ?? null;
  const known_us = knownTime(launch, prediction);
  const unit = largest(prediction?.breakdown.units);
  return {
    launch,
    answer,
    id: launch.profilerId,
    kernel: launch.isShipped ? launch.name : (only?.kernel ?? launch.name),
    grid: only?.grid ?? null,
    block: only?.block ?? null,
    predicted_us,
    known_us,
    error: errorOf(launch, prediction),
    beside_us: other?.value?.time_us.value ?? null,
    isBesideKnown: other !== undefined,
    bottleneck: prediction?.breakdown.nearest_limit?.startsWith("none") ? noBottleneck : (unit?.[0] ?? ""),
    utilisation: unit?.[1] ?? 0,
    reason: largest(prediction?.breakdown.schedulers)?.[0] ?? "",
    warnings: [
      ...(prediction?.outcome === "limit" ? ["limit"] : []),
      ...(prediction?.warnings ?? []).map((warning) => warning.kind),
    ],
    failure: answer !== undefined && prediction === null ? answer.message : null,
  };
}

export interface Column {
  name: string; // in the address
  title: string;
  hint: string;
  isNumber: boolean;
  value: (row: Row) => number | string | null;
}

export const columns: Column[] = [
  { name: "id", title: "ID", hint: "The profiler's number of the launch", isNumber: true, value: (row) => row.id },
  { name: "kernel", title: "kernel", hint: "", isNumber: false, value: (row) => row.kernel },
  { name: "grid", title: "grid", hint: "Blocks", isNumber: true, value: (row) => row.grid },
  { name: "block", title: "block", hint: "Threads of a block", isNumber: true, value: (row) => row.block },
  { name: "predicted", title: "predicted µs", hint: "", isNumber: true, value: (row) => row.predicted_us },
  {
    name: "gpu",
    title: "profiled on",
    hint: "The GPU whose counts the launch has",
    isNumber: false,
    value: (row) => profiledOn(row.launch),
  },
  {
    name: "known",
    title: "profiled µs",
    hint: "Under the profiler: usually longer than back to back. Measured, where a time is recorded",
    isNumber: true,
    value: (row) => row.known_us,
  },
  {
    name: "error",
    title: "error %",
    hint: "Predicted against profiled or measured on the same GPU",
    isNumber: true,
    value: (row) => row.error,
  },
  {
    name: "beside",
    title: "beside µs",
    hint: "Predicted on the other GPU",
    isNumber: true,
    value: (row) => row.beside_us,
  },
  {
    name: "times",
    title: "times as fast",
    hint: "How many times as fast the other GPU is",
    isNumber: true,
    value: (row) => (row.beside_us === null || row.predicted_us === null ? null : row.predicted_us / row.beside_us),
  },
  {
    name: "bottleneck",
    title: "bottleneck",
    hint: "The unit with the highest utilisation; none where it is far from its limit",
    isNumber: false,
    value: (row) => (row.bottleneck === "" ? null : row.bottleneck),
  },
  {
    name: "reason",
    title: "most cycles",
    hint: "What most cycles of the schedulers go to",
    isNumber: false,
    value: (row) => (row.reason === "" ? null : row.reason),
  },
  {
    name: "warnings",
    title: "warnings",
    hint: "What the prediction does not cover",
    isNumber: false,
    value: (row) => row.failure ?? (row.warnings.length > 0 ? row.warnings.join(", ") : null),
  },
];

export interface Order {
  column: string;
  isDescending: boolean;
}

// "-error" is descending.
export function orderOf(text: string | null): Order | null {
  if (text === null) return null;
  const isDescending = text.startsWith("-");
  const column = isDescending ? text.slice(1) : text;
  return columns.some((c) => c.name === column) ? { column, isDescending } : null;
}

// Rows without a value come last in both directions.
export function sorted(rows: Row[], order: Order | null): Row[] {
  const column = columns.find((c) => c.name === order?.column);
  if (order === null || column === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = column.value(a),
      y = column.value(b);
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y);
    return sign * String(x).localeCompare(String(y));
  });
}

// Every word must occur in the row.
export function filtered(rows: Row[], text: string): Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = [
      row.id,
      row.kernel,
      row.launch.fullName,
      profiledOn(row.launch),
      row.grid,
      row.block,
      row.bottleneck,
      row.reason,
      row.failure,
      ...row.warnings,
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
