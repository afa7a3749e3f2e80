import { expect, test } from 'vitest';
import { GITHUB_URL, type GitHub, startGitHub } from '../../rig/github/github.ts';
import { merge } from '../../rig/github/reviewed.ts';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';

/** A story in review, with its pull request, that the real gh opened. */
async function createScene() {
  const it = createProject();
  const github = await startGitHub({ origin: it.origin });
  it.git('remote', 'add', 'github', GITHUB_URL);
  const story = await createCheckedStory(it, 'cart', undefined, github.environment);
  const dispose = async () => {
    await github[Symbol.asyncDispose]();
    it[Symbol.dispose]();
  };
  return { it, github, ...story, [Symbol.asyncDispose]: dispose };
}

const land = ({ saga }: { saga: Saga }, ...more: string[]) =>
  saga('land', 'cart', '--yes', ...more);
type Saga = Awaited<ReturnType<typeof createCheckedStory>>['saga'];

const mainOf = (it: Project) => it.gitIn(it.origin, 'rev-parse', 'main').trim();

test('the pull request is merged by its rules, and everything here follows', async () => {
  await using scene = await createScene();
  const { it, github, saga } = scene;
  it.write('.saga/config.json', { pullRequest: { mergeMethod: 'squash' } });
  commitAll(it.gitIn, it.root, 'Squash');
  it.git('push', '-q', 'origin', 'main');
  const before = mainOf(it);
  const refuse = async (words: string) => {
    const { code, stderr } = await land(scene);
    expect(stderr).toContain(words);
    expect(code).toBe(1);
    expect(mainOf(it)).toBe(before);
    expect(it.git('branch', '--list', 'story/cart')).not.toBe('');
  };
  github.checksOf = () => [{ name: 'test', state: 'failed' }];
  await refuse('checks of #1 failed: test');
  github.checksOf = () => [{ name: 'test', state: 'passed' }];
  github.rules.needsReview = true;
  await refuse('ask for an approving review of #1');
  const [pull] = github.pulls as [GitHub['pulls'][number]];
  pull.reviews = [{ id: 'R1', author: 'ada', state: 'CHANGES_REQUESTED', body: 'No.' }];
  await refuse('a reviewer of #1 requests changes');
  pull.reviews.push({ id: 'R2', author: 'ada', state: 'APPROVED', body: '' });
  github.rules.methods = ['MERGE'];
  await refuse('does not allow squash');
  github.rules.methods = ['SQUASH'];
  github.faults.push('SagaMerge');
  await refuse('GitHub refuses');

  const { code, stdout } = await land(scene);
  expect(stdout).toContain('story/cart → main, by pull request #1 (squash)');
  expect(stdout).toContain('✓ cart  merged into main by #1');
  expect(code).toBe(0);
  expect(github.pulls[0]?.state).toBe('MERGED');
  expect(it.git('rev-parse', 'main').trim()).toBe(mainOf(it));
  expect(it.read('cart.txt')).toBe('cart\n');
  expect(it.git('branch', '--list', 'story/cart')).toBe('');
  const { stories } = JSON.parse((await saga('status', '--json')).stdout);
  expect(stories[0]).toMatchObject({ id: 'cart', state: 'done' });
  expect(github.unknown).toEqual([]);
});

test('checks are waited for; a merge queue and a merge by a person are found', async () => {
  await using scene = await createScene();
  const { github, it } = scene;
  github.rules.hasQueue = true;
  // The checks end while SAGA waits; then the queue merges.
  github.checksOf = () => {
    const [pull] = github.pulls;
    const asked = github.requests.filter((it) => it.operation === 'SagaPullRequest').length;
    if (pull?.isQueued) merge(pull, it.origin);
    return [{ name: 'test', state: asked === 1 ? 'pending' : 'passed' }];
  };
  const { code, stdout } = await land(scene);
  expect(stdout).toContain('· waits for checks: test\n');
  expect(stdout).toContain('· puts #1 into the merge queue\n');
  expect(stdout).toContain('merged into main by #1');
  expect(code).toBe(0);
});

test('what GitHub is to merge later is said, and a second call tidies up after it', async () => {
  await using scene = await createScene();
  const { github, it } = scene;
  github.checksOf = () => [{ name: 'slow', state: 'pending' }];
  const refused = await land(scene, '--wait', '0');
  expect(refused.stderr).toContain('it still waits for checks: slow');
  github.rules.allowsAuto = true;
  const later = await land(scene, '--wait', '0');
  expect(later.stdout).toContain('GitHub merges #1 as soon as its rules allow it');
  const [pull] = github.pulls as [GitHub['pulls'][number]];
  expect(pull.hasAutoMerge).toBe(true);
  merge(pull, it.origin, 'SQUASH');
  const done = await land(scene);
  expect(done.stdout).toContain('✓ cart  was merged before into main');
  expect(it.git('branch', '--list', 'story/cart')).toBe('');
  expect(it.read('cart.txt')).toBe('cart\n');
});
