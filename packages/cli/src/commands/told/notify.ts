import { agent } from '@saga-ai/core/agents/chosen';
import { SagaError } from '@saga-ai/core/errors';
import { deliver, listChannels } from '@saga-ai/core/notify/channels';
import { listTold } from '@saga-ai/core/notify/told-records';
import { loadConfig } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { listProjectParts } from '@saga-ai/core/trust/list-parts';
import { requireTrustedParts } from '@saga-ai/core/trust/require-trust';
import { withoutCredentials } from '@saga-ai/core/worker/open-notifier';
import type { NotifySettings } from '@saga-ai/types/notify-settings';
import type { Delivery, News, NotifyChannel } from '@saga-ai/types/run/news';
import type { NotifyJson } from '@saga-ai/types/screens/json/told';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { cleanLine, hang } from '../../output/text.ts';

export const command: Command<NotifyJson> = {
  output: () => import('@saga-ai/types/screens/json/told').then((it) => it.NotifyJson),
  options: {
    test: { type: 'boolean', help: 'send a test in every way that is set up, and say how it went' },
  },
  about: `Workers tell you when a story needs you (needs-you), is in review (in-review), was merged by its epic (done) or
failed (failed), and when an epic is done (epic-done). notify.on chooses among these. You are told by a command,
which reads the news as JSON from its standard input, by a webhook, on the desktop, or by the terminal's bell. The
same news is told once. A worker goes on while it tells you, and SAGA ends a command or a request that takes
longer than notify.timeout seconds.

Without --test, shows how you are told, and which messages did not get through.`,
  examples: [
    'saga config notify.desktop true',
    `saga config notify.command '["curl","-sd","@-","ntfy.sh/my-topic"]'`,
    'saga config notify.webhook https://example.com/hook',
    'saga notify --test',
  ],
  async run({ paths, out, flag }) {
    const env = environment.handedOver();
    const { notify } = loadConfig(paths(), { environment: env }).config;
    const isTest = flag('test');
    if (isTest) requireSettings(paths(), notify, env);
    const news = buildTest(paths());
    const around = { root: paths().root, env: withoutCredentials({ env, agent }) };
    const deliveries = isTest ? await deliver(news, notify, around) : [];
    const failures = listTold(paths())
      .filter(({ record }) => record.deliveries.some(isFailure))
      .map(({ item, record: { on, time, deliveries: sent } }) => ({
        ...{ item, on, time },
        deliveries: sent.filter(isFailure),
      }));
    const exitCode = deliveries.some(isFailure) ? 1 : 0;
    const ways = listChannels(notify).map((it) => describeWay(it, notify));
    if (out.json) {
      const tried = isTest ? { tried: { news, deliveries } } : {};
      out.value({ on: notify.on, ways, ...tried, failures });
      return exitCode;
    }
    out.lines(isTest ? formatTest(deliveries, notify, out) : formatState(notify, failures, out));
    return exitCode;
  },
};

const isFailure = ({ failure }: Delivery) => failure !== undefined;

function requireSettings(
  paths: Paths,
  notify: NotifySettings,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const parts = listProjectParts(paths).filter(({ name }) => name.startsWith('notify.'));
  requireTrustedParts(paths, parts, env);
  if (listChannels(notify).length > 0) return;
  throw new SagaError(
    'usage',
    'No way to tell you is set up: no command, webhook, desktop message or bell.',
    'Such as: saga config notify.desktop true. saga notify --help shows more.',
  );
}

const buildTest = ({ root }: Paths): News => ({
  version: 1,
  on: 'needs-you',
  kind: 'story',
  id: 'example',
  title: 'example needs you',
  text: 'example needs you: this is a test of saga notify',
  next: 'saga inbox',
  project: root,
  session: null,
  time: new Date().toISOString(),
  isTest: true,
});

/** The path of a webhook may be a secret. */
function describeWay(by: NotifyChannel, { command, webhook }: NotifySettings): string {
  if (by === 'command') return `command: ${(command ?? []).join(' ')}`;
  if (by === 'webhook') return `webhook: ${new URL(webhook ?? '').host}`;
  return by;
}

function formatTest(
  deliveries: readonly Delivery[],
  notify: NotifySettings,
  out: Output<NotifyJson>,
): string[] {
  return deliveries.flatMap(({ by, failure }) => {
    const way = cleanLine(describeWay(by, notify));
    return failure === undefined
      ? hang(`${out.paint('done', '✓')} `, `${way} · sent`, out.width)
      : hang(`${out.paint('needs-you', '✗')} `, `${way} · ${cleanLine(failure)}`, out.width, 4);
  });
}

function formatState(
  notify: NotifySettings,
  failures: NotifyJson['failures'],
  out: Output<NotifyJson>,
): string[] {
  const channels = listChannels(notify);
  if (channels.length === 0) {
    return [
      'No notification is set up. To turn one on: saga config notify.desktop true',
      'saga notify --help shows every way.',
    ];
  }
  const lines = failures.flatMap(({ item, on, time, deliveries }) =>
    deliveries.flatMap(({ by, failure = '' }) => {
      const when = formatAgo(time, Date.now());
      const text = `${item} ${on} · ${when} · ${by}: ${cleanLine(failure)}`;
      return hang(`${out.paint('needs-you', '✗')} `, text, out.width, 4);
    }),
  );
  return [
    `told of  ${notify.on.join(', ') || 'nothing: notify.on is empty'}`,
    ...channels.map(
      (it, i) => `${i === 0 ? 'by      ' : '        '} ${cleanLine(describeWay(it, notify))}`,
    ),
    ...(lines.length > 0 ? ['', 'could not be told:', ...lines] : []),
    '',
    'to try it: saga notify --test',
  ];
}
