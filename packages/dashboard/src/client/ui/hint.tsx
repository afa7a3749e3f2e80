import { Command } from './notice.tsx';

/** A command in a sentence: "saga" or "git" with its words, up to the end of the sentence. */
const COMMAND =
  /\b((?:saga|git|gh|npm|claude) [^\s,;]+(?: (?:--?[\w-]+|<[\w-]+>|"[^"]*"|[\w./@:-]*[\w/@]))*)/;

/** What to do about an error. Commands in it are set as commands. */
export function Hint({ text }: { text: string }) {
  const [before = '', command, ...rest] = text.split(COMMAND);
  // A sentence may begin with the same words, so only what follows a colon counts as a command.
  const isClear = command !== undefined && /: $|^$/.test(before);
  if (!isClear) return <>{text}</>;
  return (
    <>
      {before}
      <Command>{command}</Command>
      {rest.join('')}
    </>
  );
}
