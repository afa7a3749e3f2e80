import { ClaudeTask } from '../../packages/core/src/agents/claude/tasklist/claude-task.ts';
import { toOutputSchema } from '../../packages/types/src/json-schema.ts';
import { Epic } from '../../packages/types/src/plan/epic.ts';
import { Story } from '../../packages/types/src/plan/story.ts';
import { Task } from '../../packages/types/src/plan/task.ts';
import { Evidence, GateCheck, VerifyRun } from '../../packages/types/src/run/evidence.ts';
import { SessionRecord } from '../../packages/types/src/run/session-record.ts';
import { Finding } from '../../packages/types/src/screens/finding.ts';
import {
  EpicView,
  Reason,
  SessionView,
  StoryView,
} from '../../packages/types/src/screens/overview.ts';
import { Problem } from '../../packages/types/src/words/problem.ts';
import { code, table } from './page.ts';
import { FOR_SCRIPTS, formatType, type JsonSchema } from './schema-type.ts';

interface Known {
  about: string;
  schema: {
    shape: Readonly<Record<string, unknown>>;
    safeParse(value: unknown): { success: boolean };
  };
}

/** Shapes that have a schema, by the names the page calls them. */
export const SHAPES: Readonly<Record<string, Known>> = {
  StoryView: { schema: StoryView, about: 'A story as every screen receives it.' },
  EpicView: { schema: EpicView, about: 'An epic as every screen receives it.' },
  Reason: { schema: Reason, about: 'Why a story needs you.' },
  SessionView: { schema: SessionView, about: 'What a living worker does.' },
  Problem: { schema: Problem, about: 'Something wrong in a file, beside what is good.' },
  Story: { schema: Story, about: '`story.json`; fields of your own are kept and shown too.' },
  Task: { schema: Task, about: '`<task>.json` of a story.' },
  Epic: { schema: Epic, about: '`.saga/epics/<id>.json`.' },
  ClaudeTask: { schema: ClaudeTask, about: 'A task of a native list.' },
  SessionRecord: { schema: SessionRecord, about: 'A worker, while it lives and after.' },
  Evidence: { schema: Evidence, about: '`evidence.json`: what the gate looked at and found.' },
  GateCheck: { schema: GateCheck, about: 'One check of the gate.' },
  Finding: { schema: Finding, about: 'What `saga doctor` or `saga rehearse` looked at.' },
  VerifyRun: { schema: VerifyRun, about: 'The `verify` command, as it was run.' },
};

export function describeShapes(): string[] {
  return Object.entries(SHAPES).map(([name, { schema, about }]) => {
    const { properties = {}, required = [] } = toOutputSchema(schema as never) as JsonSchema;
    const rows = Object.entries(properties).map(([key, field]) => [
      code(required.includes(key) ? key : `${key}?`),
      nameInside(name, key) ?? formatType(field, FOR_SCRIPTS),
      field.description ?? '',
    ]);
    return `### ${name}\n\n${about}\n\n${table(['key', 'type', 'meaning'], rows)}`;
  });
}

/** A field whose schema is one of ours is called by its name. */
function nameInside(name: string, key: string): string | undefined {
  const links: Record<string, string> = {
    'StoryView.session': '[SessionView](#sessionview) | null',
    'StoryView.needsYou': '[[Reason](#reason)] | null',
    'Evidence.checks': '[[GateCheck](#gatecheck)]',
    'Evidence.verify': '[VerifyRun](#verifyrun)',
    'Problem.code': 'a [code](codes.md)',
  };
  return links[`${name}.${key}`];
}

/**
 * The names that tell most about an object: those whose schema it fits, as long as each tells of two
 * keys at least that the ones before do not.
 */
export function nameObject(value: object): string[] {
  const left = new Set(Object.keys(value));
  const fitting = Object.entries(SHAPES).filter(
    ([, { schema }]) => schema.safeParse(value).success,
  );
  const names: string[] = [];
  for (;;) {
    const gain = ({ schema }: Known) => Object.keys(schema.shape).filter((it) => left.has(it));
    const [best] = fitting
      .map(([name, known]) => ({ name, keys: gain(known) }))
      .filter(({ keys }) => keys.length > 1)
      .sort((a, b) => b.keys.length - a.keys.length);
    if (!best) return names;
    names.push(best.name);
    for (const key of best.keys) left.delete(key);
  }
}

export const keysOf = (name: string) => Object.keys(SHAPES[name]?.schema.shape ?? {});
