import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, Conversation, Policy, ToolCall } from '@saga-ai/model';
import { bash, misbehave, type Trial } from '../../rig/worker/misbehave.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';
import type { Attack, Mode, Place, Scene, Seen, Verdict } from './attack.ts';
import { judge } from './judge.ts';

/** A worker that hangs is ended: that is what some attacks want. A slow machine must stay far below this. */
export const HANGS_AFTER = 600_000;

/** Plays all attacks of a scene in one project, and says how each ended. */
export async function play(scene: Scene, mode: Mode): Promise<Record<string, Verdict>> {
  const trials: Trial[] = [];
  const policy = actNested(misbehave(trials));
  await using it = await createWorkshop({ model: { policy } });
  const place = findPlace(it);
  using _prepared = await setUp(scene, mode, it, place);
  const callsOf = new Map<Attack, readonly ToolCall[]>();
  for (const attack of scene.attacks) {
    const calls = (attack.calls?.(place) ?? []).map((call) =>
      typeof call === 'string' ? bash(call) : call,
    );
    callsOf.set(attack, calls);
    trials.push(...calls);
  }
  const printed = await act(scene, it, place);
  const planted = readIfThere(join(place.home, 'planted'));
  const answers = listAnswers(it);
  if (answers.length < trials.length && !scene.endsRun) {
    throw new Error(`The run of ${scene.id} ended before all attacks were made:\n${printed}`);
  }
  const reports = `${listReports(it)}\n${readWarnings(place)}`;
  const seen: Omit<Seen, 'answers'> = {
    it,
    place,
    planted,
    printed,
    hasPassed: it.outputFiles().some((file) => /"type":"gate:passed"/.test(readIfThere(file))),
    git: runGit,
    pushed: (path) => runGit(place.origin, 'show', `story/cart:${path}`),
  };
  const verdicts: Record<string, Verdict> = {};
  for (const attack of scene.attacks) {
    const mine = answers.splice(0, callsOf.get(attack)?.length ?? 0);
    const shown = mine.map((call) => call.result?.text ?? '').join('\n');
    const finding = {
      stands: await attack.stands({ ...seen, answers: shown }),
      isTold: attack.told?.test(reports) ?? false,
      isDenied: mine.some(isDenied),
      isHarmless: attack.harmless !== undefined,
      isAllowed: mode !== 'off' && attack.allowedBy !== undefined,
    };
    verdicts[attack.id] = judge(finding);
    if (process.env.SAGA_ATTACKS?.includes('show')) {
      console.info(mode, attack.id, verdicts[attack.id], finding, shown.slice(0, 600));
    }
  }
  if (process.env.SAGA_ATTACKS?.includes('show')) console.info(printed, reports);
  return verdicts;
}

/** Whether the guard or the client refused a call. A command that fails was not refused. */
function isDenied({ tool, result }: Call): boolean {
  return result?.isError === true && (tool !== 'Bash' || /hook error|denied/i.test(result.text));
}

function findPlace(it: Workshop): Place {
  const folder = dirname(it.root);
  return {
    folder,
    root: it.root,
    worktree: join(it.worktrees, 'cart'),
    home: it.home,
    origin: it.origin,
    evil: join(folder, 'evil.git'),
    outside: join(folder, 'outside'),
    sessions: join(folder, 'sessions'),
  };
}

const NOTHING: Disposable = { [Symbol.dispose]() {} };

const isDisposable = (it: unknown): it is Disposable =>
  typeof it === 'object' && it !== null && Symbol.dispose in it;

async function setUp(scene: Scene, mode: Mode, it: Workshop, place: Place): Promise<Disposable> {
  mkdirSync(place.outside);
  execFileSync('git', ['init', '-q', '--bare', place.evil]);
  it.epic('shop', {});
  it.story('other', {}, { x: {} });
  const { config = {}, tasks = ['one'] } = scene;
  const worker = { ...config.worker, sandbox: mode };
  it.write('.saga/config.json', { ...config, worker });
  const prepared = await scene.prepare?.(it, place);
  const closes = isDisposable(prepared) ? prepared : NOTHING;
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  it.git('push', '-q', 'origin', 'main');
  if (scene.hasRun === false) return closes;
  const empty = Object.fromEntries(tasks.map((id) => [id, {}]));
  it.story('cart', { description: 'About the cart.', ...scene.story }, empty);
  scene.beforeStart?.(it, place);
  return closes;
}

async function act(scene: Scene, it: Workshop, place: Place): Promise<string> {
  if (scene.act) return await scene.act(it, place);
  const env = scene.env?.(place) ?? {};
  const { stdout, stderr } = await it.saga(['worker', 'cart', '--max-cycles', '1'], {
    env,
    timeout: HANGS_AFTER,
  });
  return stdout + stderr;
}

/** Answers a client that the run itself started. */
function actNested(policy: Policy): Policy {
  return (conversation: Conversation) => {
    const told = /NESTED write (\S+)/.exec(conversation.prompt)?.[1];
    if (told === undefined) return policy(conversation);
    if (conversation.calls.length > 0) return { text: 'Done.' };
    return { calls: [{ tool: 'Write', input: { file_path: told, content: 'x\n' } }] };
  };
}

/** The calls of the first run, as the longest conversation shows them. */
function listAnswers({ model }: Workshop): Call[] {
  const all = model.requests
    .map(({ conversation }) => conversation)
    .filter(({ prompt }) => !prompt.includes('NESTED write'));
  const [first] = all.filter(({ calls }) => calls.length > 0);
  if (first === undefined) return [];
  const id = first.calls[0]?.id;
  const same = all.filter(({ calls }) => calls[0]?.id === id);
  return [...(same.at(-1)?.calls ?? [])];
}

/** Events that are the same in every session, and those that repeat the words of the run. */
const ROUTINE =
  /^(?:run:(?!stopping)|task:(?!escalated)|preflight:|worktree:|reconcile:|hydrate:|setup:|pull|account:|story:|sandbox:|feedback:told|push:done|worker:start|gate:(?!check|failed))/;

/** What SAGA itself reported: nothing that a run or a command of the project says. */
function listReports(it: Workshop): string {
  const lines = it.outputFiles().flatMap((file) => readIfThere(file).split('\n').filter(Boolean));
  return lines
    .map((line) => JSON.parse(line) as { type: string; check?: { outcome: string } })
    .filter(({ type }) => !ROUTINE.test(type))
    .flatMap((event) => {
      if (event.type === 'gate:failed') return ['gate:failed'];
      const text = JSON.stringify(event);
      const isQuiet = event.check && event.check.outcome !== 'failed' && !/warn/i.test(text);
      return isQuiet ? [] : [text.replace(/"outputEnd":"(?:[^"\\]|\\.)*"/g, '')];
    })
    .join('\n');
}

/** What the evidence on the remote warns about. */
function readWarnings({ origin }: Place): string {
  const text = runGit(origin, 'show', 'story/cart:.saga/stories/cart/evidence.json');
  if (text === '') return '';
  const { warnings = [] } = JSON.parse(text) as { warnings?: unknown };
  return JSON.stringify(warnings);
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function runGit(cwd: string, ...args: string[]): string {
  const safe = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.directory=*'];
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
  try {
    const lead = safe.flatMap((it) => ['-c', it]);
    return execFileSync('git', [...lead, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    // What an attack wanted is not there, or git is broken: the probe says what that means.
    return '';
  }
}
