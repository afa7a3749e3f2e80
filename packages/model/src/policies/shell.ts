/** One word for a POSIX shell, whatever it holds. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
