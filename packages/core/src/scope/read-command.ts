/**
 * Returns the words of a shell command, to search them for a program and its verbs. Quoted texts are
 * left out: a commit message that mentions `git push` does not push. This catches honest mistakes
 * only; no parser can see what a script will do.
 */
export function readWords(command: string): string[] {
  const text = hideTexts(hideHereDocuments(command.slice(0, MAX_READ).replaceAll('\\\n', ' ')));
  return text.split(/\s+|(?<=[;&|(){}`])|(?=[;&|(){}`])/).filter(Boolean);
}

/** Whether the words call a program, given by name or path, with these verbs. */
export function callsVerb(
  words: readonly string[],
  program: string,
  verbs: readonly (readonly string[])[],
  optionsWithValue: readonly string[],
): boolean {
  return words.some((word, index) => {
    if (word.slice(word.lastIndexOf('/') + 1) !== program) return false;
    let at = index + 1;
    return verbs.every((choices) => {
      while (words[at]?.startsWith('-')) {
        at += optionsWithValue.includes(words[at] ?? '') ? 2 : 1;
      }
      return choices.includes(words[at++] ?? '');
    });
  });
}

/** A longer text is data rather than a command, and reading all of it would only cost time. */
const MAX_READ = 50_000;
const SHELL = /(?:^|[\s;&|(/])(?:ba|da|z|k)?sh\b[^;&|\n]*$/;
const RUNS_TEXT = /(?:^|[\s;&|(/])(?:(?:ba|da|z|k)?sh(?:\s+-\w+)*\s+-\w*c|eval)\s+$/;

/** Removes the lines of `<<WORD … WORD`, unless a shell reads them. */
function hideHereDocuments(command: string): string {
  const lines = command.split('\n');
  const lastAt = new Map(lines.map((line, index) => [line.trim(), index]));
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    kept.push(line);
    const [marker, , word = ''] = /<<-?\s*(['"]?)(\w+)\1/.exec(line) ?? [];
    if (marker === undefined || SHELL.test(line.slice(0, line.indexOf(marker)))) continue;
    if ((lastAt.get(word) ?? 0) <= i) continue;
    while (lines[i + 1]?.trim() !== word) i++;
    i++;
  }
  return kept.join('\n');
}

/** A quoted text. Without a closing quote it reaches to the end. */
const TEXT = /\\.|'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

function hideTexts(command: string): string {
  return command.replace(TEXT, (quoted, offset: number) => {
    if (quoted[0] === '\\') return quoted;
    const inner = quoted.slice(1, quoted.at(-1) === quoted[0] ? -1 : undefined);
    const before = command.slice(Math.max(0, offset - 200), offset);
    const isCommand = RUNS_TEXT.test(before) || (quoted[0] === '"' && /\$\(|`/.test(inner));
    if (isCommand) return ` ${hideTexts(inner)} `;
    return /\s/.test(inner) ? 'TEXT' : inner;
  });
}
