import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Git } from './git.ts';
import { readBlobs } from './read-blobs.ts';

/** The files of a repository at one commit, by path. `read` returns the text of a file, or the target of a link. */
export async function openTree(git: Git, commit: string) {
  const records = await git.paths(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const files = new Map<string, { isLink: boolean; blob: string }>();
  for (const record of records) {
    const tab = record.indexOf('\t');
    const [mode = '', kind, blob = ''] = record.slice(0, tab).split(' ');
    // A submodule is a commit of another repository.
    if (kind === 'blob') files.set(record.slice(tab + 1), { isLink: mode === '120000', blob });
  }
  const readBlob = gatherReads(git);
  const read = async (path: string): Promise<string> => {
    const { blob } = files.get(path) ?? {};
    return blob === undefined ? '' : readBlob(blob);
  };
  return { files, read };
}

/** Reads what is asked for at the same time with one git process. */
function gatherReads(git: Git): (blob: string) => Promise<string> {
  let asked: string[] = [];
  let answer: Promise<string[]> | undefined;
  return async (blob) => {
    answer ??= nextTurn().then(() => {
      const blobs = asked;
      asked = [];
      answer = undefined;
      return readBlobs(git, blobs);
    });
    const index = asked.push(blob) - 1;
    return (await answer)[index] ?? '';
  };
}
