/** Removes a byte order mark, which some editors write and JSON does not allow. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
