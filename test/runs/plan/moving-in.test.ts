import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const OLD_STORY = `---
id: pipeline
title: Worker pipeline
status: ready
epic: tools
tasks:
  - id: t1
    title: Parse the arguments
    status: completed
  - id: t2
    title: Set up the worktree
    status: pending
---

## Context

The old worker reads story.md.

## Tasks

### t1: Parse the arguments

### t2: Set up the worktree

**Guidance:**
- Check whether it exists
`;

test('a story of an older version and a Markdown plan are created, worked on and pass their gates', async () => {
  await using it = await createWorkshop({ model: { policy: walkTasks() } });
  it.write('.saga/epics/tools/epic.md', '# Tools\n\nAll tools.\n');
  it.write('.saga/stories/pipeline/story.md', OLD_STORY);
  expect(await it.saga(['migrate', '--yes', '--remove'])).toMatchObject({ code: 0, stderr: '' });
  it.write(
    'plan.md',
    '## Cart\n\nThe cart.\n\n**Verify:** `test -d .git || test -f .git`\n\n1. Write tests\n2. Write code\n',
  );
  expect(await it.saga(['create', 'plan.md'])).toMatchObject({ code: 0, stderr: '' });
  for (const [id, completed] of [
    ['pipeline', 1],
    ['cart', 2],
  ] as const) {
    const { code, stdout } = await it.saga(['worker', id]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('gate passed'),
    });
    const done = it.events().filter((event) => event.type === 'task:status');
    expect(done.length).toBeGreaterThanOrEqual(completed);
  }
  const { stdout } = await it.saga(['status']);
  expect(stdout).toMatch(/pipeline +2\/2/);
  expect(stdout).toMatch(/cart +2\/2/);
});
