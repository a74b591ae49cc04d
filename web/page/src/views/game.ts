import type { View } from "../context";
import { h } from "../dom";

export const game: View = (root) => {
  root.append(h("p", {}, "game"));
  return () => root.replaceChildren();
};
