/** The rule for ids of stories, epics and tasks. An id is also the name of a folder, a branch and a file. */
export const ID_PATTERN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
export const ID_MAX_LENGTH = 64;
export const ID_RULE = `lower-case letters, digits and inner dashes, at most ${ID_MAX_LENGTH} characters`;

export function isId(text: unknown): text is string {
  return typeof text === 'string' && text.length <= ID_MAX_LENGTH && ID_PATTERN.test(text);
}

/** `story.json` and `evidence.json` sit beside the task files, so no task may have one of these names. */
export const RESERVED_TASK_IDS: readonly string[] = ['story', 'evidence'];

/** Latin letters that Unicode cannot split into a plain letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * Makes an id from a title such as "Add a logout button!". Returns an empty text for a title without
 * Latin letters and digits; `deriveFreeId` makes one of any title.
 */
export function deriveId(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ID_MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}

/**
 * Makes an id that is not taken: from the title, else from `otherwise` (such as `story`). Adds a number if necessary.
 */
export function deriveFreeId(
  title: string,
  otherwise: string,
  isTaken: (id: string) => boolean,
): string {
  const derived = deriveId(title);
  const base = derived === '' || RESERVED_TASK_IDS.includes(derived) ? otherwise : derived;
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`;
    const id = `${base.slice(0, ID_MAX_LENGTH - end.length).replace(/-+$/, '')}${end}`;
    if (!isTaken(id)) return id;
  }
}
