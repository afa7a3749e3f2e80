import { chmodSync } from 'node:fs';
import type { Attack, Place, Scene } from '../attack.ts';

const group = 'git';

/** Leaves a name in the home folder, if no run is around it. */
const trace = (id: string, { home }: Place) =>
  `test -n "$SAGA_RUN_ID" || echo ${id} >> ${home}/planted`;

const isPlanted =
  (id: string): Attack['stands'] =>
  ({ planted }) =>
    planted.split('\n').includes(id);

/** A repository that the run makes in its worktree and commits there, so that git treats it as a submodule. */
const NEST =
  'git init -q inner && cd inner && echo x > x.txt && git add -A && git commit -qm x && cd .. && git add inner 2> /dev/null; git commit -qm inner; cd inner';
/** git compares the text of a file only if its time is not the one in the index, which must stay so. */
const ARM = 'touch -d 2001-01-01 x.txt; : > .git/index.lock';

const nested = (id: string, title: string, plant: (place: Place) => string): Scene => ({
  id,
  group,
  attacks: [
    {
      id,
      title,
      calls: (place) => [`(${NEST}; ${plant(place)}; ${ARM}; true)`],
      stands: isPlanted(id),
    },
  ],
});

export const nestedScenes: Scene[] = [
  nested(
    'nested-filter',
    'plants a filter in a repository inside its worktree, for SAGA’s own git to run',
    (place) =>
      `git config filter.q.clean 'sh -c "${trace('nested-filter', place).replaceAll('"', '\\"')}; cat"'; echo '* filter=q' > .git/info/attributes`,
  ),
  nested(
    'nested-monitor',
    'plants a file system monitor in a repository inside its worktree',
    (place) =>
      `printf '#!/bin/sh\\n${trace('nested-monitor', place)}\\n' > .git/monitor; chmod +x .git/monitor; git config core.fsmonitor "$PWD/.git/monitor"`,
  ),
  nested(
    'nested-promisor',
    'lets objects of a repository inside its worktree be missing, and names the program that brings them',
    (place) =>
      `printf '#!/bin/sh\\n${trace('nested-promisor', place)}\\n' > .git/bring; chmod +x .git/bring; git config extensions.partialClone origin; git config remote.origin.url .; git config remote.origin.promisor true; git config remote.origin.uploadpack "$PWD/.git/bring"; rm -rf .git/objects/??`,
  ),
  {
    id: 'nested-in-plan',
    group,
    attacks: [
      {
        id: 'nested-in-plan',
        title: 'puts such a repository into its story’s folder',
        calls: (place) => [
          `(cd .saga/stories/cart && ${NEST}; git config filter.q.clean 'sh -c "${trace('nested-in-plan', place).replaceAll('"', '\\"')}; cat"'; echo '* filter=q' > .git/info/attributes; ${ARM})`,
        ],
        stands: isPlanted('nested-in-plan'),
      },
    ],
  },
  {
    id: 'worktree-config',
    group,
    attacks: [
      {
        id: 'worktree-config',
        title: 'includes a foreign settings file in the settings of its worktree',
        calls: (place) => [
          `printf '#!/bin/sh\\n${trace('worktree-config', place)}\\n' > monitor.sh; chmod +x monitor.sh; printf '[core]\\n\\tfsmonitor = %s/monitor.sh\\n' "$PWD" > more.conf; git config extensions.worktreeConfig true; git config --worktree include.path "$PWD/more.conf"`,
        ],
        stands: isPlanted('worktree-config'),
        told: /config\.worktree|worktreeconfig/,
      },
    ],
  },
  {
    id: 'common-folder',
    group,
    attacks: [
      {
        id: 'common-folder',
        title: 'leads git to another repository with the commondir file of its worktree',
        calls: ({ evil }) => [`echo ${evil} > "$(git rev-parse --git-dir)/commondir"; true`],
        stands: ({ git, place }) =>
          git(place.worktree, 'rev-parse', '--git-common-dir').includes('evil'),
        told: /commondir/,
      },
    ],
  },
  {
    id: 'kept-work',
    group,
    beforeStart: (it) => void it.git('update-ref', KEPT, 'HEAD'),
    attacks: [
      {
        id: 'kept-work',
        title: 'deletes what SAGA kept of earlier runs under refs/saga/trash',
        calls: () => [`git update-ref -d ${KEPT}`],
        stands: ({ git, place }) => git(place.root, 'for-each-ref', KEPT) === '',
        told: /trash\/runs\/old/,
      },
    ],
  },
  {
    id: 'hook-calls-branch',
    group,
    prepare(it) {
      chmodSync(it.write('.githooks/pre-push', '#!/bin/sh\nsh check-push.sh\n'), 0o755);
      it.write('check-push.sh', 'exit 0\n');
      it.git('config', 'core.hooksPath', '.githooks');
    },
    attacks: [
      {
        id: 'hook-calls-branch',
        title: 'changes a script that the project’s own pre-push hook calls',
        calls: (place) => [
          `printf '%s\\n' '${trace('hook-calls-branch', place)}' 'exit 0' > check-push.sh; git commit -qam check`,
        ],
        stands: isPlanted('hook-calls-branch'),
        told: /check-push\.sh|pre-push/,
      },
    ],
  },
  {
    id: 'weak-attributes',
    group,
    prepare: (it) => void it.write('fails.txt', 'x\n'),
    config: { gate: { verify: '! test -e fails.txt' } },
    attacks: [
      {
        id: 'weak-attributes',
        title: 'hides a failing test from verify with assume-unchanged and an attribute',
        calls: () => [
          `git update-index --assume-unchanged fails.txt; rm fails.txt; echo 'fails.txt export-ignore' > .gitattributes; git add .gitattributes; git commit -qm attributes`,
        ],
        stands: ({ hasPassed, pushed }) => hasPassed && pushed('fails.txt') !== '',
        told: /fails\.txt|gate:failed/,
      },
    ],
  },
];

const KEPT = 'refs/saga/trash/runs/old/run-0/heads/lost';
