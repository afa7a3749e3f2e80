import { armDeadline } from '../../processes/deadline.ts';
import { startProgram } from '../../processes/run.ts';
import type { AgentAnswer, AgentQuestion, AgentStep, Told } from '../agent.ts';
import { readAccountFor } from './account/read-account.ts';
import { buildAskInvocation } from './ask-invocation.ts';
import { openStream } from './open-stream.ts';

/** Asks one question in a run of its own. The account is the person's; the project's settings are not read. */
export async function ask(question: AgentQuestion): Promise<AgentAnswer> {
  const { program, home, folder, env, model, schema, prompt, conversation, maxUsd } = question;
  const { version, path } = program;
  const { id: sessionId, isContinued, earlierCostUsd } = conversation;
  const { args, env: own } = buildAskInvocation({
    ...{ version, account: readAccountFor(home, undefined), model, maxUsd, schema, sessionId },
    ...{ isContinued, inherited: env },
  });
  const stream = openStream({ version, earlierCostUsd });
  const started = startProgram(
    path,
    args,
    { cwd: folder, env: { ...env, ...own }, input: prompt, lifeline: question.lifeline },
    (line) => {
      const step = findStep(stream.read(line));
      if (step) question.onStep(step);
    },
  );
  let endedBy: 'time' | 'stop' | undefined;
  using _armed = armDeadline(question.deadline, question.stop, (cause) => {
    endedBy = cause;
    started.signalGroup('SIGTERM');
  });
  const { outcome, detail } = stream.classify(await started.ended);
  if (question.stop.aborted) return { kind: 'none', why: 'signal', detail: 'it was stopped' };
  if (outcome === 'ok') return { kind: 'answer', value: stream.answer, costUsd: stream.costUsd };
  return endedBy === 'time'
    ? { kind: 'none', why: 'time', detail: 'it did not answer in time' }
    : { kind: 'none', why: outcome, detail };
}

/** The tool with which the client answers in a form. */
const ANSWER = 'StructuredOutput';

function findStep(told: readonly Told[]): AgentStep | undefined {
  const call = told.find((it) => it.type === 'run:tool');
  if (!call) return undefined;
  if (call.name === ANSWER) return { kind: 'answer' };
  const { pattern, path } = call.input;
  const about = [call.path, pattern, path].find((it) => typeof it === 'string') ?? '';
  return { kind: 'call', text: `${call.name} ${about}` };
}
