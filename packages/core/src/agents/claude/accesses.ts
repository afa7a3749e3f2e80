import { isAbsolute } from 'node:path';
import type { Access } from '../../scope/scope.ts';

/** Lists what a call of one of the client's tools would read, write or run. */
export function listAccesses(tool: string, input: Readonly<Record<string, unknown>>): Access[] {
  switch (tool) {
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
      return [{ kind: 'write', path: input.file_path }];
    case 'NotebookEdit':
      return [{ kind: 'write', path: input.notebook_path }];
    case 'Read':
      return [{ kind: 'read', path: input.file_path }];
    case 'Grep':
      return [{ kind: 'read', path: input.path ?? '.' }];
    case 'Glob':
      return [
        { kind: 'read', path: input.path ?? '.' },
        { kind: 'read', path: staticPart(input.pattern, input.path) },
      ];
    case 'Bash':
      return [{ kind: 'command', command: input.command }];
    case 'TaskUpdate':
      return input.status === 'deleted' ? [{ kind: 'delete-task' }] : [];
    default:
      return listUnknown(input);
  }
}

/** For an unknown tool, checks the fields that usually name a file. */
function listUnknown(input: Readonly<Record<string, unknown>>): Access[] {
  const fields = ['file_path', 'notebook_path', 'path'].filter((it) => it in input);
  return fields.map((field) => ({ kind: 'write', path: input[field] }));
}

/**
 * The folder in which a pattern starts: everything before its first wildcard. A pattern that goes up
 * after a wildcard is not understood.
 */
function staticPart(pattern: unknown, path: unknown): unknown {
  if (typeof pattern !== 'string') return undefined;
  const lead = /^[^*?[{]*/.exec(pattern)?.[0] ?? '';
  const rest = pattern.slice(lead.length);
  if (/(^|[/{,])\.\.([/,}]|$)|[{,][/~]/.test(rest)) return undefined;
  if (isAbsolute(lead) || lead.startsWith('~')) return lead;
  return `${typeof path === 'string' ? path : '.'}/${lead}`;
}
