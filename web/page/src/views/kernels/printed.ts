// What the controls are set to, for paper.

import { shortened } from "../../link_faults";
import { gpusOf, titleOf, type Launch } from "./session";

const mostNames = 20;

function filesOf(launch: Launch): string[] {
  if (launch.isShipped) return [`shipped model ${launch.key}`];
  const pages = launch.pages;
  if (pages === undefined) return [launch.path.slice(launch.path.lastIndexOf("/") + 1)];
  return [pages.raw, pages.source, pages.cold, pages.inPlace].flatMap((file) => (file === undefined ? [] : [file.name]));
}

// Files and settings can be any number.
function listed(names: string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return names.slice(0, mostNames).join(", ") + more;
}

// `device` "": the profiled one. `settings`: the chosen point of a model, ["n=4096"].
export function printedText(launches: Launch[], device: string, beside: string | null, settings: string[]): string {
  const files = [...new Set(launches.flatMap(filesOf))];
  const profiled = gpusOf(launches).join(", ") || "not known";
  const [only] = launches.length === 1 ? launches : [];
  return [
    `GPU: ${device === "" ? `the profiled one (${profiled})` : `${titleOf(device)}, profiled on ${profiled}`}.`,
    ...(beside === null ? [] : [`Beside it: ${titleOf(beside)}.`]),
    ...(only === undefined ? [] : [`Launch: ${only.name}${only.profilerId === null ? "" : `, ID ${only.profilerId}`}.`]),
    ...(settings.length === 0 ? [] : [`Point: ${listed(settings.map(shortened))}.`]),
    `${files.length === 1 ? "File" : "Files"}: ${listed(files)}.`,
  ].join(" ");
}
