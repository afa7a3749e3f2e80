/**
 * Finds what a text of instructions imports: the paths after an `@`, as they are written. An `@` in code, in a comment
 * or within a word imports nothing.
 */
export function findImports(text: string): string[] {
  const found = withoutCode(text)
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/(^|[\s*_~|>])@((?:[^\s\\]|\\ )+)/g);
  return [...found].flatMap(([, before, written = '']) => {
    // A word may end with the marks of emphasis, of a table or of HTML.
    const [word = ''] = written.split(/[*|<]|~~/);
    const path = before === '_' ? word.replace(/_+\W*$/, '') : word;
    const [plain = ''] = path.split('#');
    return /^[a-zA-Z0-9._-]/.test(plain) ? [plain.replaceAll('\\ ', ' ')] : [];
  });
}

const FENCE = /^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)$/;

/** Code between lone backticks is taken out of its line only, so that an odd one hides nothing below it. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark = '', more] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (more === '' && mark.startsWith(fence)) fence = undefined;
      return '';
    }
    if (mark === '') return line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    fence = mark;
    return '';
  });
  return lines.join('\n');
}
