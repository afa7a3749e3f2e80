/** Formats a tool call on one line: the name of the tool and a summary. */
export function formatCall({ name, summary }: { name: string; summary: string }): string {
  return `${name} ${summary}`.trim().slice(0, LONGEST);
}

const LONGEST = 160;
