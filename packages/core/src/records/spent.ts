import { SessionRecord } from '@saga-ai/types/run/session-record';
import { parseSession } from '@saga-ai/types/words/names';
import { readJsonFile } from '../files/json-file.ts';
import { listFolder } from '../files/list-folder.ts';
import { type Paths, parseSessionRecordName, sessionRecordFile } from '../project/paths.ts';

/** Adds up what all sessions of a story have spent, except the one that is named. A budget counts for the story, not for a session. */
export function loadSpent(
  paths: Paths,
  storyId: string,
  except: string | undefined,
): { costUsd: number; tokens: number } {
  const spent = { costUsd: 0, tokens: 0 };
  for (const name of listFolder(paths.root, paths.sessions)) {
    const session = parseSessionRecordName(name) ?? '';
    if (session === except || parseSession(session)?.storyId !== storyId) continue;
    const result = readJsonFile(paths.root, sessionRecordFile(paths, session), SessionRecord);
    // `saga sessions` reports a record that cannot be read.
    if (!('value' in result)) continue;
    spent.costUsd += result.value.costUsd;
    spent.tokens += result.value.tokens;
  }
  return spent;
}
