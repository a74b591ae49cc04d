// What a file is that the token game cannot open, and which view takes it.

import type { DroppedFile } from "../../context";
import { type Kind, recognise } from "../../recognise";

const wanted = "The token game opens Petri nets: PNML, or a net or a net template as JSON.";
const forKernels = "Open the view Kernels and drop it there.";

const sentences: Partial<Record<Kind, string>> = {
  raw: `It is a raw page of Nsight Compute. ${forKernels}`,
  source: `It is a source page of Nsight Compute. ${forKernels}`,
  model: `It is a kernel model. ${forKernels}`,
  report: "It is a report of Nsight Compute, which only Nsight Compute reads. Open the view Kernels: it names the two commands that print its pages.",
  picture: `It is a picture. ${wanted}`,
  archive: `It is an archive. Unpack it first. ${wanted}`,
};

// null: the file may be a net. JSON of an unknown kind may be one, too: the engine says what it lacks.
export async function wrongFile(file: DroppedFile): Promise<string | null> {
  const { kind, saysKind } = await recognise(file);
  return kind === "model" && !saysKind ? null : (sentences[kind] ?? null);
}
