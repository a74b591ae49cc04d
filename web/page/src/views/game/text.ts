// Names in nets come from anyone's files. They are shown as text; what has no visible shape, or would
// turn the direction of the text around, is written as its code.

const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export function plain(name: string, longest = 300): string {
  const text = name.replace(unseen, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

export const short = (name: string): string => plain(name, 24);

export const counted = (n: number, one: string, more = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : more}`;

// Names that may be broken into lines.
export const isLong = (name: string): boolean => name.length > 14;
