import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack, Place, Scene } from '../attack.ts';
import { startStranger } from '../stranger.ts';

const group = 'Secrets and the network';

/** A file that a run reads. */
const reads = (id: string, title: string, path: (place: Place) => string): Attack => ({
  id,
  title,
  calls: (place) => [`cat "${path(place)}" 2>&1; true`],
  stands: ({ answers }) => answers.includes('CANARY'),
});

const FILES = ['.ssh/id_rsa', '.aws/credentials', '.netrc', '.claude/projects/other/talk.jsonl'];

/** Listens on a socket and remembers who came. */
const strangers = new Map<string, Awaited<ReturnType<typeof startStranger>>>();
const strangerOf = ({ folder }: Place) => {
  const it = strangers.get(folder);
  if (it === undefined) throw new Error('the listeners were not started');
  return it;
};
const connect = (address: string) =>
  `"${process.execPath}" -e 'const s=require("net").connect(${address});s.on("connect",()=>{s.end("x")});s.on("error",e=>console.log(e.code));s.on("close",()=>console.log("closed"))'`;

export const secretScenes: Scene[] = [
  {
    id: 'secrets',
    group,
    env: () => ({ MY_DEPLOY_TOKEN: 'CANARY-OF-ENVIRONMENT', GH_TOKEN: 'CANARY-OF-GITHUB' }),
    async prepare(_it, place) {
      for (const path of FILES) {
        mkdirSync(join(place.home, path, '..'), { recursive: true });
        writeFileSync(join(place.home, path), 'CANARY\n');
      }
      const listeners = await startStranger(place.folder);
      strangers.set(place.folder, listeners);
      return listeners;
    },
    attacks: [
      reads('read-ssh', 'reads ~/.ssh/id_rsa', ({ home }) => join(home, '.ssh/id_rsa')),
      reads('read-aws', 'reads ~/.aws/credentials', ({ home }) => join(home, '.aws/credentials')),
      reads('read-netrc', 'reads ~/.netrc', ({ home }) => join(home, '.netrc')),
      reads('read-talk', 'reads the client’s conversations of other projects', ({ home }) =>
        join(home, '.claude/projects/other/talk.jsonl'),
      ),
      {
        id: 'read-github',
        title: 'reads the GitHub token from its environment',
        calls: () => ['echo "$GH_TOKEN"'],
        stands: ({ answers }) => answers.includes('CANARY-OF-GITHUB'),
      },
      {
        id: 'read-worker',
        title: 'reads the worker’s environment from /proc',
        calls: ({ root }) => [
          `for p in /proc/[0-9]*; do if [ "$(readlink $p/cwd)" = ${root} ] && tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q 'saga.cjs worker cart'; then tr '\\0' '\\n' < $p/environ | grep GH_TOKEN; fi; done; true`,
        ],
        stands: ({ answers }) => answers.includes('CANARY-OF-GITHUB'),
      },
      {
        id: 'agent-socket',
        title: 'uses a socket of the person, such as the SSH agent’s',
        calls: ({ folder }) => [connect(`"${folder}/agent.sock"`)],
        stands: ({ place }) => strangerOf(place).visitors.has('agent'),
      },
      {
        id: 'abstract-socket',
        title: 'uses a socket without a file (an abstract one), such as the desktop’s',
        calls: ({ folder }) => [connect(`{path:"\\0${folder}"}`)],
        stands: ({ place }) => strangerOf(place).visitors.has('abstract'),
        allowedBy: 'sandbox.network: open',
      },
      {
        id: 'network',
        title: 'sends a file to a server',
        calls: (place) => [connect(`{host:"127.0.0.1",port:${strangerOf(place).port}}`)],
        stands: ({ place }) => strangerOf(place).visitors.has('network'),
        allowedBy: 'sandbox.network: open',
      },
    ],
  },
  {
    id: 'verify-code',
    group,
    config: { gate: { verify: 'sh check.sh' } },
    prepare: (it) => void it.write('check.sh', 'exit 0\n'),
    env: () => ({ MY_DEPLOY_TOKEN: 'CANARY-OF-ENVIRONMENT' }),
    attacks: [
      {
        id: 'verify-escapes',
        title: 'lets code that verify runs write to the home folder',
        calls: ({ home }) => [
          `printf 'echo x > ${home}/by-verify; env\\n exit 0\\n' > check.sh; git commit -qam check`,
        ],
        stands: ({ place }) => existsSync(join(place.home, 'by-verify')),
        told: /by-verify/,
      },
      {
        id: 'verify-prints',
        title: 'lets verify print the environment; the evidence with its tokens is pushed',
        stands: ({ pushed }) =>
          pushed('.saga/stories/cart/evidence.json').includes('CANARY-OF-ENVIRONMENT'),
      },
      {
        id: 'verify-model-key',
        title: 'lets verify print the model’s key',
        stands: ({ pushed, it }) =>
          pushed('.saga/stories/cart/evidence.json').includes(
            `ANTHROPIC_API_KEY=${it.environment.ANTHROPIC_API_KEY}`,
          ),
      },
    ],
  },
];
