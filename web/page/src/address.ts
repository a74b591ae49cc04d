// The address of the page: "#view?key=value&...". Links restore a view.

import type { ViewState } from "./context";

export interface Place {
  view: string;
  values: URLSearchParams;
  unknown: string | null; // the view that the address names, if there is none of this name
}

export function placeNow(views: string[]): Place {
  const text = location.hash.slice(1);
  const mark = text.indexOf("?");
  const view = mark < 0 ? text : text.slice(0, mark);
  const values = new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1));
  if (views.includes(view)) return { view, values, unknown: null };
  return { view: views[0]!, values: new URLSearchParams(), unknown: view === "" ? null : view };
}

export function hashOf(view: string, values: URLSearchParams): string {
  const text = values.toString();
  return text === "" ? `#${view}` : `#${view}?${text}`;
}

// The state of one view while it is shown.
export class AddressState implements ViewState {
  private readonly listeners: (() => void)[] = [];
  constructor(private readonly view: string, private values: URLSearchParams) {}

  get(key: string): string | null {
    return this.values.get(key);
  }

  keys(): string[] {
    return [...this.values.keys()];
  }

  set(values: Record<string, string | null>, push = false): void {
    for (const [key, value] of Object.entries(values)) {
      if (value === null) this.values.delete(key);
      else this.values.set(key, value);
    }
    const hash = hashOf(this.view, this.values);
    if (hash === location.hash) return;
    if (push) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  // The address changed from outside.
  replace(values: URLSearchParams): void {
    this.values = values;
    for (const listener of this.listeners) listener();
  }

  all(): URLSearchParams {
    return new URLSearchParams(this.values);
  }
}
