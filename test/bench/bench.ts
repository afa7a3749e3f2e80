import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build/ensure-built.ts';
import { benchFirstMinute } from './commands/first-minute.ts';
import { benchHooks } from './commands/hooks.ts';
import { prepareNativeLists } from './commands/native-lists.ts';
import { prepareSaga } from './commands/saga.ts';
import { prepareStatus } from './commands/status.ts';
import { benchDashboard } from './dashboard/dashboard.ts';
import { benchEpic } from './epic/bench-epic.ts';
import { benchManyWorkers } from './epic/bench-many-workers.ts';
import { benchRunPage } from './epic/bench-run-page.ts';
import { benchSchedulerMemory } from './epic/bench-scheduler-memory.ts';
import { benchFleet } from './fleet/bench-fleet.ts';
import { benchFleetEpic } from './fleet/bench-fleet-epic.ts';
import type { Candidate } from './measure/candidate.ts';
import { measure } from './measure/measure.ts';
import { BARE, Results } from './measure/results.ts';
import { SIZES } from './measure/rows.ts';
import { formatNativeTable, formatPeersTable, formatSagaTable } from './measure/tables.ts';
import { checkTargets, type Target } from './measure/targets.ts';
import { benchPages } from './pages/bench-pages.ts';
import { benchReview } from './pages/bench-review.ts';
import { preparePeers } from './peers/peers.ts';
import { createEnvironment } from './project/environment.ts';
import { buildPlan, TASKS_IN_STORY } from './project/plan.ts';
import { createPublishedInstall } from './project/published-install.ts';
import { benchWorker } from './worker/bench-worker.ts';

/** Speed, memory and size of the built command, each beside a bare start of Node in the same run. */
const ROUNDS = readRounds(15);

const withPeers = process.argv.includes('--peers');
const workshop = mkdtempSync(join(tmpdir(), 'saga-bench-'));
process.on('exit', () => rmSync(workshop, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

ensureBuilt();
if (process.argv.includes('--clone')) {
  await import('./fresh-clone.ts');
  process.exit();
}
const env = createEnvironment(workshop);
const install = createPublishedInstall(workshop, env);
const plans = new Map(SIZES.map((size) => [size, buildPlan(size / TASKS_IN_STORY)]));
const candidates = [
  bareNode(),
  ...(await prepareSaga(workshop, install.saga, plans, env)),
  ...(await prepareStatus(workshop, install.saga, env)),
  ...prepareNativeLists(workshop, install.saga, plans, env),
  ...(withPeers ? preparePeers(workshop, plans, env) : []),
];
process.stderr.write(`bench: ${candidates.length} commands, ${ROUNDS} rounds …\n`);
const results = new Results(measure(candidates, ROUNDS));
const worker = await benchWorker();
const firstMinute = await benchFirstMinute();
const epic = await benchEpic();
const manyWorkers = await benchManyWorkers();
const scheduler = await benchSchedulerMemory();
const fleet = await benchFleet();
const fleetEpic = await benchFleetEpic();
const hooks = benchHooks(workshop, env);
const dashboard = await benchDashboard(workshop, install.saga, env, results.busy);
const pages = await benchPages(workshop, install.saga, env);
const runPage = await benchRunPage(install.saga, env);
const review = await benchReview(install.saga, env);
const targets = [
  ...checkTargets(results, install.megabytes),
  ...worker.targets,
  ...firstMinute.targets,
  ...epic.targets,
  ...manyWorkers.targets,
  ...scheduler.targets,
  ...fleet.targets,
  ...fleetEpic.targets,
  ...hooks.targets,
  ...dashboard.targets,
  ...pages.targets,
  ...runPage.targets,
  ...review.targets,
];

print(formatSagaTable(results));
print(formatNativeTable(results));
print(worker.table);
print(firstMinute.table);
print(epic.table);
print(manyWorkers.table);
print(scheduler.table);
print(fleet.table);
print(fleetEpic.table);
print(hooks.table);
print(dashboard.table);
print(pages.table);
print(runPage.table);
print(review.table);
if (withPeers) print(formatPeersTable(results));
const clock = results.busy
  ? 'processor time, since others use this machine too'
  : 'the fastest run';
print([`Judged by ${clock}:`, ...targets.map(formatTarget)].join('\n'));
if (!withPeers) print('npm run bench -- --peers compares with seeds, dex and backlog.md too.');
process.exitCode = targets.every((target) => target.met) ? 0 : 1;

/** `--rounds N` for a quick look. */
function readRounds(usual: number): number {
  const at = process.argv.indexOf('--rounds');
  return at === -1 ? usual : Number(process.argv[at + 1]);
}

function bareNode(): Candidate {
  const command = [process.execPath, '-e', '0'];
  return { program: 'node', row: BARE, command, folder: workshop, env };
}

function formatTarget({ about, found, limit, met }: Target): string {
  return `${met ? '✓' : '✗'} ${about}: ${found}, at most ${limit}`;
}

function print(text: string): void {
  process.stdout.write(`\n${text}\n`);
}
