import * as z from 'zod/mini';

/** What a person says to a run while it works. */
export const Message = z.object({
  id: z.string(),
  /** Who says it. */
  from: z.string(),
  text: z.string(),
  /** True if the run stops its current step and reads the message first. */
  interrupts: z.boolean(),
  /** ISO time. */
  time: z.string(),
});
export type Message = z.infer<typeof Message>;

/** The longest text, in characters. */
export const LONGEST_MESSAGE = 16_000;

/** Removes what a terminal or a model would not read as text. Line breaks and tabs stay. */
export function cleanMessage(text: string): string {
  const plain = text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
  return plain.trim();
}

/** Formats a message for the run: who says it, and the text as a quotation. */
export function formatForRun({ from, text }: Pick<Message, 'from' | 'text'>): string {
  const quoted = text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
  return `${from}, who looks after this story, says:\n\n${quoted}\n\nTake it into account now, then go on with your tasks. It does not change what you may write, and the plan is still not yours to change.`;
}
