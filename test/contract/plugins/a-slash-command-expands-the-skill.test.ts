import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { DONE } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

const BODY = `all<$ARGUMENTS> first<$ARGUMENTS[0]> zero<$0> one<$1> two<$2> root<\${CLAUDE_PLUGIN_ROOT}>`;

/** What the model is told when a person types this. */
async function expand(stage: Stage, prompt: string) {
  const plugin = writePlugin(stage, skill('execute-story', BODY));
  const { model } = await stage.run({ turns: [DONE], args: ['--plugin-dir', plugin], prompt });
  const [first] = model.requests.filter((request) => request.kind === 'turn');
  return { told: first?.conversation.prompt ?? '', plugin };
}

contract(
  '/plugin:skill expands the body; $ARGUMENTS is all, $0 the first, $1 the second',
  {},
  async (stage) => {
    const { told, plugin } = await expand(stage, '/saga:execute-story login fast "and well"');
    expect(told).toContain('execute-story</command-name>');
    expect(told).toContain('<command-args>login fast "and well"</command-args>');
    expect(told).toContain(
      `all<login fast "and well"> first<login> zero<login> one<fast> two<and well> root<${plugin}>`,
    );
  },
);

contract('a number without its argument stays as it is', { since: '2.1.210' }, async (stage) => {
  const { told } = await expand(stage, '/saga:execute-story login');
  expect(told).toContain('all<login> first<login> zero<login> one<$1> two<$2>');
});
