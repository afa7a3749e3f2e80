import * as z from 'zod/mini';

/** What a person can be told of: the values of the setting `notify.on`. */
export const NEWS_KINDS = ['needs-you', 'in-review', 'done', 'failed', 'epic-done'] as const;
export const NewsKind = z.enum(NEWS_KINDS);
export type NewsKind = z.infer<typeof NewsKind>;

/** The ways in which a person can be told. */
export const NOTIFY_CHANNELS = ['command', 'webhook', 'desktop', 'bell'] as const;
export const NotifyChannel = z.enum(NOTIFY_CHANNELS);
export type NotifyChannel = z.infer<typeof NotifyChannel>;

/** What a notify command reads from its standard input, and what a webhook receives. */
export const News = z.object({
  version: z.literal(1),
  on: NewsKind.check(z.describe('What happened.')),
  kind: z.enum(['story', 'epic']),
  id: z.string().check(z.describe('The id of the story or the epic.')),
  title: z.string().check(z.describe('What happened, in one line.')),
  text: z.string().check(z.describe('Why, in words.')),
  next: z.string().check(z.describe('The command that helps.')),
  project: z.string().check(z.describe('The folder of the project.')),
  session: z.nullable(z.string()),
  time: z.string().check(z.describe('ISO time.')),
  isTest: z.optional(z.boolean().check(z.describe('Sent by `saga notify --test`.'))),
});
export type News = z.infer<typeof News>;

/** How telling a person went, in one way. */
export const Delivery = z.object({
  by: NotifyChannel,
  failure: z.optional(z.string().check(z.describe('Why the person was not told.'))),
});
export type Delivery = z.infer<typeof Delivery>;

/** `.git/saga/runs/told/<id>.json`: the last news of a story or an epic. */
export const ToldRecord = z.looseObject({
  version: z.literal(1),
  key: z.string().check(z.describe('News with the same key are the same news.')),
  on: NewsKind,
  time: z.string(),
  deliveries: z.array(Delivery),
});
export type ToldRecord = z.infer<typeof ToldRecord>;
