import { join } from 'node:path';
import { SagaError } from '@saga-ai/core/errors';
import { runAgent } from '@saga-ai/core/fleet/agent/agent';
import type { AgentOrder } from '@saga-ai/core/fleet/agent/order';
import type { Job } from '@saga-ai/core/fleet/engine';
import { nameRepository } from '@saga-ai/core/fleet/repository-name';
import { formatVersionLabel } from '@saga-ai/core/fleet/version-label';
import { openGit } from '@saga-ai/core/git/git';
import { loadConfig } from '@saga-ai/core/plan/config';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import { findPersonData } from '@saga-ai/core/project/person-folders';
import { TRUST_VARIABLE } from '@saga-ai/core/trust/require-trust';
import type { AgentEventJson } from '@saga-ai/types/screens/json/fleet';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { readEpicOptions, readJobs, readMaxTime } from '../../epic-options.ts';
import { formatAgentEvent } from '../../fleet/agent-lines.ts';
import { findClient } from '../../fleet/find-client.ts';
import { URL_VARIABLE } from '../../fleet/may-have-engine.ts';
import { connect, findRepository, readEngineSettings } from '../../fleet/open-fleet.ts';
import { writeAll } from '../../output/write.ts';
import { parseArguments } from '../../parse-arguments.ts';
import { VERSION } from '../../version.ts';
import { loadItems } from '../run/run-epic.ts';
import { command as workerCommand } from '../run/worker.ts';

const NAME = /^[a-z0-9][a-z0-9._-]*$/;

export const command: Command<AgentEventJson> = {
  output: () => import('@saga-ai/types/screens/json/fleet').then((it) => it.AgentEventJson),
  stream: 'lines',
  options: {
    jobs: { type: 'text', value: 'N', help: 'work on N stories at the same time (1)' },
    label: {
      type: 'texts',
      value: 'LABEL',
      help: 'what this machine has; stories with "needs" ask for it',
    },
    repo: {
      type: 'texts',
      value: 'URL',
      help: 'work on this repository (default: the one of this folder)',
    },
    name: { type: 'text', help: "the machine's name in the fleet (default: the host name)" },
    once: { type: 'boolean', help: 'end when nothing is left to do' },
    trust: {
      type: 'boolean',
      help: 'run the commands of the repositories without asking; without --trust, a repository whose commands you have not agreed to is refused',
    },
  },
  about: `Makes this machine a part of a fleet: it takes stories and epics that saga run --engine handed over, works on
them in a clone of its own, and pushes what it did. The engine is the database that engine.url names.

The credentials of the model, of git and of gh are those of this machine and stay here. Nobody is asked
anything: a repository whose commands you have not agreed to is refused, unless you start with --trust.

Ctrl-C gives back what is under way, and another machine goes on with it. If this machine dies, another one
goes on from the last push after engine.leaseSeconds.`,
  examples: [
    'saga agent --trust',
    'saga agent --jobs 4 --label gpu --repo git@github.com:you/shop.git --trust',
  ],
  async run(invocation) {
    const { out, text, flag } = invocation;
    const around = environment.handedOver();
    const paths = findOwn(invocation);
    const settings = readEngineSettings(paths, around);
    const repositories = await listRepositories(invocation, paths, around);
    const data = findPersonData(around);
    if (data === undefined) throw noData();
    const { [URL_VARIABLE]: _, ...without } = around;
    const env = {
      ...without,
      SAGA_SESSION_DIR: around.SAGA_SESSION_DIR ?? join(data, 'fleet', 'saga-sessions'),
      ...(flag('trust') ? { [TRUST_VARIABLE]: '1' } : {}),
    };
    const machine = readName(text('name') ?? environment.hostName());
    await using engine = await open(settings, machine);
    await runAgent({
      engine: engine.it,
      machine,
      labels: [...readLabels(invocation), formatVersionLabel(VERSION)],
      jobs: readJobs({ text }) ?? 1,
      repositories,
      data,
      env,
      agentHome: { config: environment.claudeConfig(env) },
      userId: environment.userId(),
      sagaVersion: VERSION,
      clientVersion: await findClient(paths ?? buildPaths(environment.workingFolder()), env),
      leaseMs: settings.leaseSeconds * 1000,
      stop: environment.stopSignal(),
      isOnce: flag('once'),
      readEpic,
      tell(event) {
        const time = new Date().toISOString();
        if (out.json) writeAll(1, `${JSON.stringify({ time, ...event })}\n`);
        else out.lines(formatAgentEvent(event, out));
      },
    });
    return 0;
  },
};

async function open(settings: Parameters<typeof connect>[0], machine: string) {
  const it = await connect(settings, 'agent', `saga agent ${machine}`);
  return { it, [Symbol.asyncDispose]: () => it.close() };
}

/** The project around this folder, if there is one. */
function findOwn({ folder }: Invocation<AgentEventJson>): Paths | undefined {
  const project = lookForProject(folder);
  return project ? buildPaths(project.root) : undefined;
}

async function listRepositories(
  { texts }: Invocation<AgentEventJson>,
  paths: Paths | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentOrder['repositories']> {
  const given = texts('repo');
  if (given.length > 0) return given.map((url) => ({ name: nameRepository(url), url }));
  if (paths) {
    const { repository, address } = await findRepository(openGit(paths.root, env));
    return [{ name: repository, url: address }];
  }
  throw new SagaError(
    'usage',
    'An agent must know which repositories it may work on, and this folder is in no repository.',
    'Name one: saga agent --repo git@github.com:you/shop.git. Or start it in a project.',
  );
}

function readLabels({ texts }: Invocation<AgentEventJson>): string[] {
  return texts('label')
    .flatMap((it) => it.split(','))
    .map((label) => {
      if (NAME.test(label)) return label;
      throw new SagaError(
        'usage',
        `${JSON.stringify(label)} is no label.`,
        'A label has small letters, digits, dots and hyphens, such as gpu or linux-arm64.',
      );
    });
}

function readName(given: string): string {
  const name = given.toLowerCase();
  if (NAME.test(name)) return name;
  throw new SagaError(
    'usage',
    `${JSON.stringify(given)} cannot be the name of a machine.`,
    'A name has letters, digits, dots and hyphens: saga agent --name builder-1',
  );
}

/** The settings of a scheduler, from the arguments that `saga run` would have passed on. */
function readEpic(paths: Paths, job: Job): ReturnType<AgentOrder['readEpic']> {
  const { values } = parseArguments('worker', workerCommand, [
    job.id,
    ...(job.epicArguments ?? []),
  ]);
  const asked = {
    text: (name: string) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    texts: (name: string) => {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: (name: string) => values[name] === true,
  };
  const { config } = loadConfig(paths, { environment: environment.variables(), flags: job.flags });
  const minutes = readMaxTime(asked);
  return {
    config,
    options: readEpicOptions(asked, config, loadItems(paths, job.id)),
    deadline: minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000,
  };
}

const noData = () =>
  new SagaError(
    'usage',
    'There is no folder for the clones of this agent: neither SAGA_DATA nor HOME is set.',
    'Set SAGA_DATA to a folder with enough space.',
  );
