import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workshop } from '../../../rig/worker/workshop.ts';
import type { Attack, Place, Scene } from '../attack.ts';

const group = 'Cloned repositories';

/** A command that a person types in a repository that somebody else made. */
const inClone = (
  attack: Omit<Attack, 'calls'>,
  args: string[],
  prepare: (it: Workshop, place: Place) => void,
): Scene => ({
  id: attack.id,
  group,
  hasRun: false,
  prepare,
  async act(it) {
    const { stdout, stderr } = await it.saga(args, {
      // Nobody said yes, neither now nor before.
      env: { SAGA_TRUST: '', XDG_STATE_HOME: join(it.home, '.fresh-state') },
    });
    return stdout + stderr;
  },
  attacks: [attack],
});

/** A program of the repository that leaves a trace. */
function evil(it: Workshop, { home }: Place): string {
  const path = it.write(
    'evil.sh',
    `#!/bin/sh\ntouch ${home}/evil-ran\necho '2.1.325 (Claude Code)'\n`,
  );
  chmodSync(path, 0o755);
  return path;
}
const hasRun: Attack['stands'] = ({ place }) => existsSync(join(place.home, 'evil-ran'));

export const cloneScenes: Scene[] = [
  inClone(
    {
      id: 'clone-doctor',
      title: 'names a program as worker.claudePath; saga doctor runs it',
      stands: hasRun,
    },
    ['doctor'],
    (it, place) => void it.write('.saga/config.json', { worker: { claudePath: evil(it, place) } }),
  ),
  inClone(
    {
      id: 'clone-setup',
      title: 'names a setup command; saga worker runs it without a question',
      stands: hasRun,
    },
    ['worker', 'other', '--max-cycles', '1'],
    (it, place) =>
      void it.write('.saga/config.json', {
        worker: { sandbox: 'off' },
        worktree: { setup: `sh ${evil(it, place)}` },
      }),
  ),
  inClone(
    {
      id: 'clone-rehearse',
      title: 'names a verify command; saga rehearse runs it without a question',
      stands: hasRun,
    },
    ['rehearse', 'other'],
    (it, place) =>
      void it.write('.saga/config.json', {
        worker: { sandbox: 'off' },
        gate: { verify: `sh ${evil(it, place)}` },
      }),
  ),
  inClone(
    {
      id: 'clone-cache-link',
      title: 'commits .saga/cache as a link; saga status writes through it',
      stands: ({ place }) => existsSync(join(place.outside, 'overview.json')),
    },
    ['status'],
    (it, { outside }) => {
      it.write('.saga/.gitignore', '');
      rmSync(join(it.root, '.saga/cache'), { recursive: true, force: true });
      symlinkSync(outside, join(it.root, '.saga/cache'));
    },
  ),
  inClone(
    {
      id: 'clone-journal-link',
      title: 'commits a journal as a link; saga journal prints the file behind it',
      stands: ({ printed }) => printed.includes('SECRET-BEHIND-A-LINK'),
    },
    ['journal', 'other'],
    (it, { outside }) => {
      writeFileSync(
        join(outside, 'secret.md'),
        '## 2026-01-01T00:00:00Z Note: x\n\nSECRET-BEHIND-A-LINK\n',
      );
      mkdirSync(join(it.root, '.saga/stories/other'), { recursive: true });
      symlinkSync(join(outside, 'secret.md'), join(it.root, '.saga/stories/other/journal.md'));
    },
  ),
  inClone(
    {
      id: 'clone-escapes',
      title: 'puts escape sequences into titles; saga list prints them',
      stands: ({ printed }) => printed.includes('\u001b]0;') || printed.includes('\u202e'),
    },
    ['list'],
    (it) => it.story('trick', { title: 'T\u001b]0;x\u0007\u202etxt' }, { x: {} }),
  ),
];
