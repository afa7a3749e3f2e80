/** A tool call on one line: its name, and what it is about. */
export function formatCall({ name, summary }: { name: string; summary: string }): string {
  return `${name} ${summary}`.trim().slice(0, LONGEST);
}

const LONGEST = 160;
