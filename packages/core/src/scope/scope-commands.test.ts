import { describe, expect, test } from 'vitest';
import { HOSTILE_PARTS } from '../../../../test/rig/faults/hostile-parts.ts';
import { decideScope, type Verdict } from './scope.ts';

const PLACE = {
  ...{ worktree: '/w', storyId: 'cart', homeFolder: '/home/u', readable: [] },
  agent: { statusTool: 'TaskUpdate', refuse: () => undefined },
};

function decide(command: unknown): Verdict {
  return decideScope(
    { accesses: [{ kind: 'command', command }], cwd: '/w' },
    PLACE,
    (path) => path,
  );
}

describe('a push is left to SAGA', () => {
  test.each([
    'git push',
    'git  push origin HEAD',
    'git add -A && git commit -qm x && git push',
    'git commit -m "a";git push',
    '(git push)',
    'git -C . push',
    'git -c user.name="A B" push --force',
    'git --no-pager push',
    'git --git-dir .git --work-tree=. push',
    '/usr/bin/git push',
    '"git" \'push\'',
    'git \\\n  push',
    'bash -c "git push"',
    "sh -ec 'cd x; git push'",
    'eval "git push"',
    'echo "$(git push 2>&1)"',
    'bash <<EOF\ngit push\nEOF',
    `git ${'-c '.repeat(5000)}x push || git push`,
  ])('%j', (command) => {
    expect(decide(command)).toMatchObject({ reason: expect.stringContaining('Commit only') });
  });
});

describe('to speak of it is no push', () => {
  test.each([
    'git status',
    'git stash push',
    'git commit -m push',
    'git commit -m "docs: when to git push"',
    "git commit -m 'never git push here'",
    `git commit -F - <<'EOF'\ndocs: say "git push"\n\nThen git push it.\nEOF\ngit log -1`,
    `git commit -m "$(cat <<'EOF'\ndocs: it's said, git push\nEOF\n)"`,
    'git log --grep push',
    'npm run push',
    'legit push',
    'grep -rn "git push" docs',
  ])('%j', (command) => {
    expect(decide(command)).toEqual({ allowed: true });
  });
});

describe('the pull request is left to SAGA', () => {
  test.each([
    'gh pr create --fill',
    'gh -R a/b pr merge 1',
    'gh pr -R a/b ready',
    'x; gh pr close',
  ])('%j', (command) => {
    expect(decide(command)).toMatchObject({ reason: expect.stringContaining('pull request') });
  });
  test.each(['gh pr view', 'gh pr diff 1', 'gh issue create', 'echo "gh pr create"'])(
    'but %j may be asked',
    (command) => {
      expect(decide(command)).toEqual({ allowed: true });
    },
  );
});

test('no command is no call', () => {
  expect(decide(undefined)).toMatchObject({ allowed: false });
  expect(decide(['ls'])).toMatchObject({ allowed: false });
});

test.each(HOSTILE_PARTS)('a command made of 100,000 times %j is read to its end', (part) => {
  // Each takes milliseconds; if a step looked at all the text again, it would take minutes.
  expect(decide(part.repeat(100_000))).toHaveProperty('allowed');
});
