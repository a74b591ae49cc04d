// Sentences about parts of the address that were not understood. A link may come from anyone: its
// text is shortened before it is shown.

const longest = 40;
const mostKeys = 10;

export const shortened = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);
export const quoted = (text: string): string => `"${shortened(text)}"`;

export function keyFaults(keys: Iterable<string>, known: readonly string[], view: string): string[] {
  const unknown = [...new Set(keys)].filter((key) => !known.includes(key));
  const faults = unknown.slice(0, mostKeys).map((key) => `${quoted(key)} is no setting of the view ${view}; it is ignored.`);
  const more = unknown.length - faults.length;
  if (more > 0) faults.push(`And ${more.toLocaleString("en")} more: the view ${view} has no such settings; they are ignored.`);
  return faults;
}

// What is wrong where a value must be one of a list. null: the value is absent or known.
export function choiceFault(key: string, value: string | null, known: readonly string[], instead: string): string | null {
  if (value === null || known.includes(value)) return null;
  return `${key}: found ${quoted(value)}, expected ${known.join(", ")}. ${instead}`;
}
