/** The rule for ids of stories, epics and tasks. An id is also the name of a folder, a branch and a file. */
export const ID_PATTERN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
export const ID_MAX_LENGTH = 64;
export const ID_RULE = `lower-case letters, digits and inner dashes, at most ${ID_MAX_LENGTH} characters`;

export function isId(text: unknown): text is string {
  return typeof text === 'string' && text.length <= ID_MAX_LENGTH && ID_PATTERN.test(text);
}

/** `story.json` and `evidence.json` sit beside the task files, so no task may have one of these names. */
export const RESERVED_TASK_IDS: readonly string[] = ['story', 'evidence'];

/** Makes an id from a title such as "Add a logout button!". Returns an empty text if none can be made. */
export function deriveId(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ID_MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
