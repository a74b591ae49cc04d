// The views of the page, in the order of their tabs. The first one is shown when a link names none.

import type { View } from "./context";
import { explorer } from "./views/explorer";
import { game } from "./views/game";
import { kernels } from "./views/kernels";

export interface ViewEntry {
  name: string; // in the address
  title: string; // on the tab
  hint: string;
  view: View;
}

export const views: ViewEntry[] = [
  { name: "explorer", title: "Explorer", hint: "Turn l1, l2, S, W and the counts of the paper's net", view: explorer },
  { name: "game", title: "Token game", hint: "Step a Petri net forwards and backwards", view: game },
  { name: "kernels", title: "Kernels", hint: "Predict the launches of an Nsight Compute profile", view: kernels },
];
