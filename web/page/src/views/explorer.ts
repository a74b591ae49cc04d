import type { View } from "../context";
import { h } from "../dom";

export const explorer: View = (root) => {
  root.append(h("p", {}, "explorer"));
  return () => root.replaceChildren();
};
