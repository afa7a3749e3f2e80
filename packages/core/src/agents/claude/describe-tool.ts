/** A tool call on one line: what a person wants to know of it. */
export function describeTool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): string {
  const { file_path, notebook_path, command, pattern, taskId, status, description, subject } =
    input;
  const about =
    file_path ?? notebook_path ?? command ?? pattern ?? taskId ?? subject ?? description ?? '';
  const more = name === 'TaskUpdate' && typeof status === 'string' ? ` ${status}` : '';
  const text = `${name} ${typeof about === 'string' ? about : ''}${more}`;
  // Everything happens in the story's worktree; its long path says nothing new.
  return text.replaceAll(`${cwd}/`, '').replace(/\s+/g, ' ').trim().slice(0, 160);
}
