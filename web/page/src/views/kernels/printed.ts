// What the controls are set to, for paper.

import { gpusOf, titleOf, type Launch } from "./session";

const mostNames = 20;

function filesOf(launch: Launch): string[] {
  if (launch.isShipped) return [`shipped model ${launch.key}`];
  const pages = launch.pages;
  if (pages === undefined) return [launch.path.slice(launch.path.lastIndexOf("/") + 1)];
  return [pages.raw, pages.source, pages.cold, pages.inPlace].flatMap((file) => (file === undefined ? [] : [file.name]));
}

// `device` "": the profiled one. `set`: the chosen point of a model, "n=4096".
export function printedText(launches: Launch[], device: string, beside: string | null, set: string | null): string {
  const files = [...new Set(launches.flatMap(filesOf))];
  const profiled = gpusOf(launches).join(", ") || "not known";
  const [only] = launches.length === 1 ? launches : [];
  return [
    `GPU: ${device === "" ? `the profiled one (${profiled})` : `${titleOf(device)}, profiled on ${profiled}`}.`,
    ...(beside === null ? [] : [`Beside it: ${titleOf(beside)}.`]),
    ...(only === undefined ? [] : [`Launch: ${only.name}${only.profilerId === null ? "" : `, ID ${only.profilerId}`}.`]),
    ...(set === null ? [] : [`Point: ${set}.`]),
    `${files.length === 1 ? "File" : "Files"}: ${files.slice(0, mostNames).join(", ")}` +
      `${files.length > mostNames ? ` and ${files.length - mostNames} more` : ""}.`,
  ].join(" ");
}
