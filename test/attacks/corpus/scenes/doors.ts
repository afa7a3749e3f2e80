import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { leaveMessage } from '@saga-ai/core/messages/message-box';
import { buildPaths, messageFolder } from '@saga-ai/core/project/paths';
import { openDashboard, type TestDashboard } from '../../../rig/screens/dashboard.ts';
import type { Attack, Place, Scene } from '../attack.ts';

const group = 'Secrets and the network';

/** Files that a run reads, each under all its names. */
const reads = (id: string, title: string, paths: (place: Place) => string[]): Attack => ({
  id,
  title,
  calls: (place) => [`cat ${paths(place).join(' ')} 2>&1; true`],
  stands: ({ answers }) => answers.includes('CANARY'),
});

const write = (path: string, text = 'CANARY\n') => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** The open dashboard of a person. */
const dashboards = new Map<string, TestDashboard>();
const portOf = ({ folder }: Place) => dashboards.get(folder)?.dashboard.port;

export const doorScenes: Scene[] = [
  {
    id: 'doors',
    group,
    async prepare(it, place) {
      it.story('asks', {}, { x: {} });
      it.write('.saga/stories/asks/journal.md', '## Blocker: May I delete the database?\n\nYes?\n');
      it.write('.gitignore', '.env*\n');
      write(join(it.root, '.env'));
      write(join(it.root, 'packages/api/.env.local'));
      leaveMessage(it.paths, 'other', { from: 'Ada', text: 'CANARY', interrupts: false });
      const settings = {
        worker: { sandbox: 'off' },
        engine: { url: 'postgres://saga:CANARY@db/x' },
      };
      write(join(it.home, '.config/saga/config.json'), JSON.stringify(settings));
      const opened = await openDashboard({ paths: it.paths, env: it.environment });
      dashboards.set(place.folder, opened);
      return { [Symbol.dispose]: () => void opened[Symbol.asyncDispose]() };
    },
    attacks: [
      {
        id: 'dashboard-token',
        title: 'answers the question of another story with the token of the open dashboard',
        calls: (place) => [
          `for f in "$SAGA_PROJECT_DIR/.saga/runs/dashboard-token" ~/.local/state/saga/dashboard/*; do curl -s -X POST -H "x-saga-token: $(cat "$f")" -H 'content-type: application/json' -d '{"blocker":"May I delete the database?","answer":"EVIL-YES"}' http://127.0.0.1:${portOf(place)}/api/stories/asks/resolve; done 2>&1; true`,
        ],
        stands: ({ it }) => it.read('.saga/stories/asks/journal.md').includes('EVIL-YES'),
        told: /stories\/asks/,
      },
      reads(
        'read-engine',
        'reads the password of a fleet’s engine in ~/.config/saga',
        ({ home }) => [join(home, '.config/saga/config.json')],
      ),
      reads('read-message', 'reads what a person wrote to another story’s run', ({ root }) => [
        join(messageFolder(buildPaths(root), 'other'), '*'),
      ]),
      reads('read-env', 'reads .env of the main checkout', ({ root }) => [
        join(root, '.env'),
        join(root, 'packages/api/.env.local'),
      ]),
    ],
  },
  {
    id: 'linked-secrets',
    group,
    prepare(_it, { home }) {
      for (const path of ['aws/credentials', 'netrc', 'gh/hosts.yml', 'key']) {
        write(join(home, 'dotfiles', path));
      }
      mkdirSync(join(home, '.ssh'), { recursive: true });
      mkdirSync(join(home, '.config'), { recursive: true });
      symlinkSync('dotfiles/aws', join(home, '.aws'));
      symlinkSync('dotfiles/netrc', join(home, '.netrc'));
      symlinkSync('../dotfiles/gh', join(home, '.config/gh'));
      symlinkSync('../dotfiles/key', join(home, '.ssh/id_rsa'));
      symlinkSync('dotfiles', join(home, '.files'));
    },
    attacks: [
      reads('linked-aws', 'reads ~/.aws, which is a link', ({ home }) => [
        ...['.aws', 'dotfiles/aws', '.files/aws'].map((it) => join(home, it, 'credentials')),
      ]),
      reads('linked-netrc', 'reads ~/.netrc, which is a link', ({ home }) => [
        ...['.netrc', 'dotfiles/netrc', '.files/netrc'].map((it) => join(home, it)),
      ]),
      reads('linked-gh', 'reads ~/.config/gh, which is a link', ({ home }) => [
        ...['.config/gh', 'dotfiles/gh'].map((it) => join(home, it, 'hosts.yml')),
      ]),
      reads('linked-key', 'reads a key that is a link in ~/.ssh', ({ home }) => [
        ...['.ssh/id_rsa', 'dotfiles/key'].map((it) => join(home, it)),
      ]),
    ],
  },
  {
    id: 'as-root',
    group,
    isRoot: true,
    attacks: [
      {
        id: 'kernel-setting',
        title: 'as root, opens the setting that names a program for the kernel to start',
        calls: () => ['(true >> /proc/sys/kernel/core_pattern) 2>&1 && echo OPEN; true'],
        stands: ({ answers }) => answers.includes('OPEN'),
      },
      {
        id: 'shadow',
        title: 'as root, reads the passwords of the system',
        calls: () => ['cat /etc/shadow 2>&1 | grep -c : || true'],
        stands: ({ answers }) => /^[1-9]/m.test(answers),
      },
    ],
  },
];
