import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { FORMAT_NAMES, FORMATS, type Format } from '@saga-ai/core/migrate/formats';
import { applyMigration, type Migration, prepareMigration } from '@saga-ai/core/migrate/migrate';
import { removeOriginals } from '@saga-ai/core/migrate/remove-originals';
import type { MigrateJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { cleanLine, hang } from '../../output/text.ts';

export const command: Command<MigrateJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.MigrateJson),
  args: [
    {
      name: 'format',
      help: 'only plans of this format (default: all)',
      complete: FORMAT_NAMES,
    },
  ],
  about: `Finds plans in older and foreign formats and says what would become of them:

  markdown      .saga/epics/<slug>/epic.md and story.md, of an older SAGA
  task-lists    .saga/tasks/<name>/tasklist.json, of an older SAGA
  task-master   .taskmaster/tasks/tasks.json
  beads         .beads/issues.jsonl
  spec-kit      specs/<feature>/tasks.md

Nothing is written without --yes. With --yes, all stories and epics are created or none is; statuses are kept. The
old files stay until --remove: then they are kept in git, below refs/saga/trash/migrate. It may be repeated.`,
  options: {
    yes: { type: 'boolean', short: 'y', help: 'write the stories and epics' },
    remove: { type: 'boolean', help: 'then remove the old files; git keeps them' },
  },
  examples: ['saga migrate', 'saga migrate --yes', 'saga migrate task-master --yes --remove'],
  async run({ paths, out, args, flag }) {
    if (flag('remove') && !flag('yes')) {
      throw new SagaError('usage', '--remove needs --yes.', 'saga migrate --yes --remove');
    }
    const formats = args[0] === undefined ? undefined : [requireFormat(args[0])];
    const migrations = await prepareMigration(paths(), formats);
    const removed: string[] = [];
    if (flag('yes')) await applyMigration(paths(), migrations);
    if (flag('remove')) {
      const git = openPlainGit(paths().root, environment.handedOver());
      for (const { format, files } of migrations) {
        removed.push(await removeOriginals(paths(), git, format, files));
      }
    }
    if (out.json) {
      return void out.value({ plans: migrations.map(toJson), written: flag('yes'), removed });
    }
    if (migrations.length === 0) {
      out.lines([
        'No plan in an older or foreign format was found.',
        'saga migrate --help lists the formats.',
      ]);
      return 0;
    }
    out.lines([
      ...migrations.flatMap((it) => [...describe(it, out), '']),
      ...(flag('yes')
        ? [
            `${out.paint('done', '✓')} written. Look at it: saga status   Advice on it: saga check --plan`,
            ...describeUnchecked(migrations, out),
            ...removed.map((ref) => `The old files are kept in ${ref}`),
            ...(flag('remove')
              ? []
              : ['The old files are untouched. Remove them: saga migrate --yes --remove']),
          ]
        : ['Nothing was written. To do it: saga migrate --yes']),
    ]);
    return 0;
  },
};

function requireFormat(name: string): Format {
  const found = FORMAT_NAMES.find((it) => it === name);
  if (found) return found;
  const near = findNearest(name, FORMAT_NAMES);
  throw new SagaError(
    'usage',
    `There is no format ${JSON.stringify(name)}.`,
    `${near ? `Did you mean ${near}? ` : ''}Formats: ${FORMAT_NAMES.join(', ')}`,
  );
}

function describe({ format, carried, known, files }: Migration, out: Output<never>): string[] {
  const { epics, stories, mapped, notes } = carried;
  const tasks = stories.reduce((sum, it) => sum + it.tasks.length, 0);
  const made = [
    count(epics.length, 'epic', 'epics'),
    count(stories.length, 'story', 'stories'),
    count(tasks, 'task', 'tasks'),
  ].join(', ');
  const shown = mapped.filter(({ kind }) => kind !== 'task');
  return [
    `${out.paint('strong', FORMATS[format])} (${count(files.length, 'file', 'files')}): ${made}`,
    ...shown.flatMap(({ from, to }) => hang('  ', cleanLine(`${from} → ${to}`), out.width)),
    ...(known.length > 0
      ? hang('  ', cleanLine(`there already, and left as they are: ${known.join(', ')}`), out.width)
      : []),
    ...notes.flatMap(({ from, note }) =>
      hang(`${out.paint('waiting', '!')} `, cleanLine(`${from}: ${note}`), out.width),
    ),
  ];
}

/** Other tools have no gate, so no gate has checked what they call done. */
function describeUnchecked(migrations: readonly Migration[], out: Output<never>): string[] {
  const stories = migrations.flatMap(({ carried }) => carried.stories);
  const completed = stories.filter(
    ({ tasks }) => tasks.length > 0 && tasks.every(({ status }) => status === 'completed'),
  );
  if (completed.length === 0) return [];
  return hang(
    '',
    `${count(completed.length, 'story is', 'stories are')} completed, but no gate has checked them: saga status says so. saga gate <story> checks one, saga archive puts away what is over.`,
    out.width,
  );
}

function toJson({ format, files, carried, known }: Migration) {
  const { epics, stories, mapped, notes } = carried;
  return {
    ...{ format, files, mapped, notes, known },
    epics: epics.map(({ id }) => id),
    stories: stories.map(({ story }) => story.id),
    tasks: stories.reduce((sum, { tasks }) => sum + tasks.length, 0),
  };
}
