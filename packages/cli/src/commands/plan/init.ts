import { ensureProject } from '@saga-ai/core/authoring/init';
import type { VerifyProposal } from '@saga-ai/core/authoring/propose-verify';
import { displayPath } from '@saga-ai/core/project/display-path';
import { listProjectParts } from '@saga-ai/core/trust/list-parts';
import type { TrustPart } from '@saga-ai/core/trust/trust-part';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { InitJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command<InitJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.InitJson),
  about: `Creates .saga/ at the top of the git repository, with its ignore rules and its settings. If the
repository has a lock file of a package manager, init writes the install command into the settings as
worktree.setup, so that each new worktree is set up with it. If the repository says how it is tested (a test
script, a Makefile, Cargo, Go, pytest), init writes that command as gate.verify. Files that exist are not
changed.`,
  async run({ folder, out }) {
    const { paths, created, setup, verify } = ensureProject(folder);
    const own = created.includes(paths.config) ? listProjectParts(paths) : [];
    await agreeToOwn(paths, own, environment.variables());
    const command = setup.map((it) => it.command).join(' && ');
    const files = created.map((path) => displayPath(paths.root, path));
    if (out.json) {
      return void out.value({
        project: paths.root,
        created: files,
        setup: command || null,
        verify: verify?.command ?? null,
      });
    }
    out.lines(
      files.length === 0
        ? [`${out.paint('done', '✓')} ${paths.saga} exists already.`]
        : [
            `${out.paint('done', '✓')} ${paths.saga}`,
            ...files.map((file) => `  ${file}`),
            ...(command === ''
              ? []
              : [
                  '',
                  `A new worktree is set up with: ${command}`,
                  `  found ${setup.map((it) => it.because).join(', ')}; to change it: saga config worktree.setup "…"`,
                ]),
            ...describeVerify(verify, created.includes(paths.config)),
            ...describeTrusted(own, displayPath(paths.root, paths.config)),
            '',
            'Next: saga create --title "…" --task "…", or saga create, which opens a template',
          ],
    );
    return 0;
  },
};

/** Names the parts that were in the repository before: a person who makes a project of it trusts them, too. */
function describeTrusted(own: readonly TrustPart[], config: string): string[] {
  const others = own.filter(({ file }) => file !== config);
  if (others.length === 0) return [];
  return [
    '',
    'Runs also use what was here before:',
    ...others.map(({ name }) => `  ${name}`),
    '  to see all of it: saga trust --show',
  ];
}

function describeVerify(verify: VerifyProposal | undefined, isNew: boolean): string[] {
  if (verify) {
    return [
      '',
      `The work of a story is checked with: ${verify.command}`,
      `  found ${verify.because}; to change it: saga config gate.verify "…"`,
    ];
  }
  if (!isNew) return [];
  return [
    '',
    'No command was found that tests this repository, so stories stay unverified.',
    '  to set one: saga config gate.verify "…"',
  ];
}
