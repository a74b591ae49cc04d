import type { View } from "../context";
import { h } from "../dom";

export const kernels: View = (root) => {
  root.append(h("p", {}, "kernels"));
  return () => root.replaceChildren();
};
