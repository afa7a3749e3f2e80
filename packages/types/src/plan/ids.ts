/** What an id of a story, an epic or a task looks like: it is also a folder, a branch and a file name. */
export const ID_PATTERN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
export const ID_MAX_LENGTH = 64;
export const ID_RULE = `lower-case letters, digits and inner dashes, at most ${ID_MAX_LENGTH} characters`;

export function isId(text: unknown): text is string {
  return typeof text === 'string' && text.length <= ID_MAX_LENGTH && ID_PATTERN.test(text);
}

/** `story.json` and `evidence.json` sit beside the task files, so no task may be called so. */
export const RESERVED_TASK_IDS: readonly string[] = ['story', 'evidence'];

/** The id a person most likely meant by a title such as "Add a logout button!". */
export function deriveId(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ID_MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
