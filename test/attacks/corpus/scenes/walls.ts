import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, Scene } from '../attack.ts';
import { type Stranger, startStranger } from '../stranger.ts';

const group = 'Secrets and the network';

const strangers = new Map<string, Stranger>();
const strangerOf = ({ folder }: Place): Stranger => {
  const it = strangers.get(folder);
  if (it === undefined) throw new Error('the listeners were not started');
  return it;
};

async function listen(place: Place, at: string): Promise<Stranger> {
  mkdirSync(at, { recursive: true });
  const stranger = await startStranger(at);
  strangers.set(place.folder, stranger);
  return stranger;
}

const node = (script: string) => `"${process.execPath}" -e '${script}'; true`;
const connect = (address: string) =>
  node(
    `const s=require("net").connect(${address});s.on("connect",()=>s.end("x"));s.on("error",e=>console.log(e.code));s.on("close",()=>console.log("closed"))`,
  );

const toolOf = ({ home }: Place) => join(home, '.tool');
const loginOf = ({ home }: Place) => join(home, '.claude/.credentials.json');
const login = (accessToken: string, expiresAt: number) =>
  JSON.stringify({ claudeAiOauth: { accessToken, refreshToken: 'r', expiresAt, scopes: ['a'] } });
const IN_A_YEAR = Date.parse('2099-01-01');
const CHECKER = '~/.cache/pip/checker';

export const wallScenes: Scene[] = [
  {
    id: 'closed-network',
    group,
    config: { sandbox: { network: 'model' } },
    prepare: (_it, place) => listen(place, toolOf(place)),
    attacks: [
      {
        id: 'closed-server',
        title: 'sends a file to a server, with sandbox.network: model',
        calls: (place) => [connect(`{host:"127.0.0.1",port:${strangerOf(place).port}}`)],
        stands: ({ place }) => strangerOf(place).visitors.has('network'),
      },
      {
        id: 'closed-abstract',
        title: 'uses a socket without a file, with sandbox.network: model',
        calls: (place) => [connect(`{path:"\\0${toolOf(place)}"}`)],
        stands: ({ place }) => strangerOf(place).visitors.has('abstract'),
      },
      {
        id: 'closed-proxy',
        title: 'asks the way out for a port of this machine, with sandbox.network: model',
        calls: (place) => [
          node(
            `const port=${strangerOf(place).port};const out=new URL(process.env.HTTPS_PROXY??"http://127.0.0.1:"+port);const s=require("net").connect(out.port,out.hostname,()=>s.write("CONNECT 127.0.0.1:"+port+" HTTP/1.1\\r\\n\\r\\n"));s.on("data",d=>{console.log(String(d));s.end("x")});s.on("error",e=>console.log(e.code))`,
          ),
        ],
        stands: ({ place }) => strangerOf(place).visitors.has('network'),
        told: /network:refused/,
      },
    ],
  },
  {
    id: 'home-socket',
    group,
    prepare: (_it, place) => listen(place, toolOf(place)),
    attacks: [
      {
        id: 'home-socket',
        title: 'uses a socket in a folder of the home folder, such as Docker’s',
        calls: (place) => [connect(`"${toolOf(place)}/agent.sock"`)],
        stands: ({ place }) => strangerOf(place).visitors.has('agent'),
      },
    ],
  },
  {
    id: 'login-swap',
    group,
    prepare(_it, place) {
      mkdirSync(join(place.home, '.claude'), { recursive: true });
      writeFileSync(loginOf(place), login('MINE', IN_A_YEAR));
    },
    attacks: [
      {
        id: 'login-swap',
        title: 'puts the login of somebody else in the place of the person’s',
        calls: () => [
          `echo '${login('EVIL', IN_A_YEAR + 1)}' > "\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/.credentials.json"; true`,
        ],
        stands: ({ place }) => readFileSync(loginOf(place), 'utf8').includes('EVIL'),
        told: /login/,
      },
    ],
  },
  {
    id: 'cache-poison',
    group: 'The gate and the evidence',
    config: { gate: { verify: `test -x ${CHECKER} && ${CHECKER}` } },
    attacks: [
      {
        id: 'cache-poison',
        title: 'puts a tool that verify uses into a cache of the package managers',
        calls: () => [
          `mkdir -p ~/.cache/pip && printf '#!/bin/sh\\nexit 0\\n' > ${CHECKER} && chmod +x ${CHECKER}`,
        ],
        stands: ({ hasPassed }) => hasPassed,
        told: /gate:failed/,
      },
    ],
  },
];
