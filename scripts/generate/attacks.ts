import { VERDICTS, type Verdict } from '../../test/attacks/corpus/attack.ts';
import { loadTable } from '../../test/attacks/corpus/expected.ts';
import { SCENES } from '../../test/attacks/corpus/list.ts';
import { page, table } from './page.ts';

interface Row {
  title: string;
  without: Verdict;
  with: Verdict;
  /** Why nothing comes of it, or what allows it. */
  note?: string;
}

/** The page that says, attack by attack, what holds. The tests of the corpus prove its table. */
export function describeAttacks(): string {
  const groups = Map.groupBy(SCENES, ({ group }) => group);
  const sections = [...groups].map(([group, scenes]) => ({ group, rows: scenes.flatMap(rowsOf) }));
  const all = sections.flatMap(({ rows }) => rows);
  return page('What holds, with and without the sandbox', [
    `This page lists ${all.length} attacks, and how each ends. A test plays every one of them: the real client does what a
hostile model would tell it to, and then the test looks at what is left. The columns say how it ends without the
sandbox (\`worker.sandbox: off\`, or \`auto\` where bubblewrap does not work) and with it (\`required\`, or \`auto\` where
bubblewrap works). [Permissions and safety](permissions-and-safety.md) explains the parts that protect.`,
    table(
      ['result', 'meaning', 'without', 'with'],
      (Object.keys(VERDICTS) as Verdict[]).map((verdict) => [
        show(verdict),
        VERDICTS[verdict],
        String(all.filter((row) => row.without === verdict).length),
        String(all.filter((row) => row.with === verdict).length),
      ]),
    ),
    ...sections.flatMap(({ group, rows }) => [
      `## ${group}`,
      table(
        [group === CLONES ? 'a repository that …' : 'a run that …', 'without', 'with'],
        rows.map((row) => [describeTitle(row), show(row.without), show(row.with)]),
      ),
    ]),
    'Next: [Permissions and safety](permissions-and-safety.md) · [Troubleshooting](troubleshooting.md)',
  ]);
}

const CLONES = 'Cloned repositories';
const expected = loadTable();

function rowsOf({ attacks, hasRun }: (typeof SCENES)[number]): Row[] {
  return attacks.map(({ id, title, harmless, allowedBy }) => {
    const { off, required = hasRun === false ? off : undefined } = expected[id] ?? {};
    if (off === undefined || required === undefined) {
      throw new Error(
        `expected.json does not know ${id}. Run: SAGA_ATTACKS=update npm run check -- attacks`,
      );
    }
    const both = [off, required];
    const note =
      (both.includes('harmless') ? harmless : undefined) ??
      (both.includes('allowed') ? `\`${allowedBy}\` allows it.` : undefined);
    return { title, without: off, with: required, note };
  });
}

const describeTitle = ({ title, note }: Row) => (note === undefined ? title : `${title}. ${note}`);

const show = (verdict: Verdict) => (verdict === 'SILENT' ? '**silent**' : verdict);
