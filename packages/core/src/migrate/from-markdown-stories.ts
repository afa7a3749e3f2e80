import { basename, dirname } from 'node:path/posix';
import { isInPlan } from '@saga-ai/types/plan/plan-paths';
import { parseBlocks } from '../plan-text/blocks.ts';
import {
  type Carried,
  createCarried,
  fieldsOf,
  joinTexts,
  keepSiblings,
  listOf,
  mapTo,
  Names,
  type OldFile,
  textOf,
  toStatus,
  withTexts,
} from './carried.ts';
import { splitFrontMatter } from './parse-file.ts';

interface OldStory {
  file: OldFile;
  slug: string;
  epic: string | undefined;
  fields: Record<string, unknown>;
  body: string;
}

/**
 * Carries over epics and stories that are Markdown with YAML front matter: `.saga/epics/<slug>/epic.md`, and
 * `story.md` in `.saga/stories/<slug>` or in `.saga/epics/<epic>/stories/<slug>`.
 */
export function fromMarkdownStories(files: readonly OldFile[]): Carried {
  const carried = createCarried();
  const { notes, mapped } = carried;
  const stories = files
    .filter(({ path }) => path.endsWith('/story.md'))
    .map((file): OldStory => {
      const { fields, body } = splitFrontMatter(file, notes);
      const [, list, slugAbove, inner] = isInPlan(file.path) ? file.path.split('/') : [];
      const around = list === 'epics' && inner === 'stories' ? slugAbove : undefined;
      const slug = textOf(fields.id) || basename(dirname(file.path));
      return { file, slug, epic: textOf(fields.epic) || around, fields, body };
    });
  const epics = files
    .filter(({ path }) => path.endsWith('/epic.md'))
    .map((file) => ({
      file,
      slug: basename(dirname(file.path)),
      ...splitFrontMatter(file, notes),
    }));

  const names = new Names();
  const epicIds = new Map(epics.map(({ slug }) => [slug, names.take(slug, 'epic')]));
  const storyIds = new Map(stories.map(({ slug }) => [slug, names.take(slug, 'story')]));
  for (const { file, slug, fields, body } of epics) {
    const id = epicIds.get(slug) ?? slug;
    const heading = /^#[ \t]+(.+)$/m.exec(body)?.[1]?.trim();
    const title = textOf(fields.title) || heading || slug;
    const own = stories.filter((it) => it.epic === slug);
    const siblings = new Set(own.map((it) => storyIds.get(it.slug) ?? it.slug));
    carried.epics.push({
      ...{ id, title },
      description: joinTexts(body.replace(/^#[ \t]+.+$/m, '').trim()) || title,
      children: own.map((it) =>
        keepSiblings(
          it.file.path,
          {
            id: storyIds.get(it.slug) ?? it.slug,
            blockedBy: listBlockers(it.fields).map((name) => storyIds.get(name) ?? name),
          },
          siblings,
          notes,
        ),
      ),
    });
    mapped.push(mapTo('epic', file.path, id));
    if (textOf(fields.status)) {
      notes.push({ from: file.path, note: 'its status is dropped: it follows from the stories' });
    }
  }
  for (const old of stories) {
    const id = storyIds.get(old.slug) ?? old.slug;
    const epic = old.epic === undefined ? undefined : epicIds.get(old.epic);
    if (old.epic !== undefined && epic === undefined) {
      notes.push({
        from: old.file.path,
        note: `its epic ${old.epic} does not exist: ${id} has none`,
      });
    }
    const journal = files.find(({ path }) => path === `${dirname(old.file.path)}/journal.md`);
    carried.stories.push({
      ...carryStory(old, id, epic, carried),
      journal: journal ? journal.text : undefined,
    });
    mapped.push(mapTo('story', old.file.path, id));
    if (journal) mapped.push(mapTo('journal', journal.path, id));
  }
  return carried;
}

const listBlockers = (fields: Record<string, unknown>): string[] =>
  ['blockedBy', 'blocked_by', 'dependsOn', 'depends_on', 'dependencies']
    .flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : listOf(fields[name])))
    .map(textOf)
    .filter((name) => name !== '');

function carryStory(old: OldStory, id: string, epic: string | undefined, { notes }: Carried) {
  const { fields, body, file, slug } = old;
  const sections = splitSections(body, 2);
  const title = textOf(fields.title) || /^#[ \t]+(.+)$/m.exec(body)?.[1]?.trim() || slug;
  const pick = (name: RegExp) => sections.find((it) => name.test(it.title))?.text ?? '';
  const rest = sections.filter(
    ({ title: it }) => !/^(context|acceptance criteria|tasks)$/i.test(it),
  );
  const tasks = carryTasks(fields, pick(/^tasks$/i), file, notes);
  const status = textOf(fields.status);
  if (toStatus(status) === 'completed' && tasks.some((task) => task.status !== 'completed')) {
    notes.push({
      from: file.path,
      note: `its status was ${status}, but not all of its tasks are: the tasks count`,
    });
  }
  const only = {
    id: 'work',
    subject: title,
    description: title,
    status: toStatus(status),
    blockedBy: [],
  };
  return {
    story: {
      ...{ id, title },
      description:
        joinTexts(
          pick(/^context$/i),
          ...rest.map((it) => joinTexts(it.title && `## ${it.title}`, it.text)),
        ) || title,
      epic,
      ...withTexts({ doneWhen: pick(/^acceptance criteria$/i) }),
    },
    tasks: tasks.length > 0 ? tasks : [only],
  };
}

interface Section {
  title: string;
  text: string;
}

/** Splits a text at its headings of one level. What stands above the first has an empty title. */
function splitSections(text: string, level: number): Section[] {
  const lines = text.split('\n');
  const headings = parseBlocks(text).filter((it) => it.kind === 'heading' && it.level === level);
  const above = lines.slice(0, headings[0]?.start ?? lines.length).join('\n');
  const first = { title: '', text: above.replace(/^#[ \t]+.+$/m, '').trim() };
  const others = headings.map((heading, i) => ({
    title: heading.text,
    text: lines
      .slice(heading.end, headings[i + 1]?.start ?? lines.length)
      .join('\n')
      .trim(),
  }));
  return first.text === '' ? others : [first, ...others];
}

function carryTasks(
  fields: Record<string, unknown>,
  text: string,
  { path }: OldFile,
  notes: Carried['notes'],
) {
  // `### t1: Title`, or `### Title`.
  const described = splitSections(text, 3).flatMap((section) => {
    const [, key = '', title = section.title] = /^([\w.-]+):\s+(.*)$/.exec(section.title) ?? [];
    return section.title === '' ? [] : [{ key, title, text: section.text }];
  });
  const listed = listOf(fields.tasks).map((it) => {
    const task = fieldsOf(it);
    const key = textOf(task.id);
    const title = textOf(task.title) || textOf(task.subject) || textOf(it) || key;
    return { key, title, status: task.status, blockedBy: listBlockers(task) };
  });
  const extra = described.filter(
    ({ key, title }) => !listed.some((it) => (key !== '' && it.key === key) || it.title === title),
  );
  for (const { title } of extra)
    notes.push({ from: path, note: `task "${title}" has no status: it is pending` });
  const all = [
    ...listed,
    ...extra.map(({ key, title }) => ({
      key,
      title,
      status: 'pending',
      blockedBy: [] as string[],
    })),
  ];
  const names = new Names();
  const ids = all.map(({ key, title }) => names.take(key || title, 'task'));
  return all.map(({ key, title, status, blockedBy }, i) => {
    const found = described.find((it) => (key !== '' && it.key === key) || it.title === title);
    const { lead, labelled } = splitLabels(found?.text ?? '');
    const take = (name: string) => labelled.get(name) ?? '';
    const others = [...labelled].filter(([name]) => name !== 'guidance' && name !== 'done when');
    return {
      ...{ id: ids[i] ?? '', subject: title, description: lead || title, status: toStatus(status) },
      blockedBy: blockedBy.flatMap((it) => ids[all.findIndex((task) => task.key === it)] ?? []),
      ...withTexts({
        guidance: joinTexts(
          take('guidance'),
          ...others.map(([name, value]) => `${name[0]?.toUpperCase()}${name.slice(1)}:\n${value}`),
        ),
        doneWhen: take('done when'),
      }),
    };
  });
}

/** Splits `**Guidance:**`, `**Done when:**` and the like from the text above them. */
function splitLabels(text: string): { lead: string; labelled: Map<string, string> } {
  const parts = text.split(/^\*\*([A-Z][\w ]*):\*\*[ \t]*/m);
  const labelled = new Map<string, string>();
  for (let i = 1; i < parts.length; i += 2) {
    labelled.set((parts[i] ?? '').toLowerCase(), (parts[i + 1] ?? '').trim());
  }
  return { lead: (parts[0] ?? '').trim(), labelled };
}
