import * as z from 'zod/mini';

/** A name that begins with a dash would be read as an option of the agent. */
const MODEL = /^[^\s-]\S*$/;
const ModelName = z
  .string()
  .check(z.refine((it) => MODEL.test(it), 'must be the name of a model, without spaces'));

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const described = <T extends z.core.SomeType>(type: T, meaning: string) =>
  z._default(z.nullable(type), null).check(z.describe(meaning));

/** Settings of the group `worker` that choose models, beside `model` itself. */
export const MODEL_SETTINGS = {
  fallbackModel: described(
    ModelName,
    'The model, or several with commas between them, that Claude Code uses while the model is overloaded or not available. null: none.',
  ),
  lastAttemptModel: described(
    ModelName,
    "The model of a task's last attempt, before worker.maxAttempts is reached. null: worker.model.",
  ),
  effort: described(
    z.enum(EFFORTS),
    'How much the model thinks. null: what is usual for the model. Claude Code knows this since 2.1.111; older ones run without it.',
  ),
};

/** The field `worker` of a story: settings that hold for this story. */
export const StoryWorker = z.strictObject({
  model: z.optional(ModelName.check(z.describe('Instead of worker.model.'))),
  fallbackModel: z.optional(ModelName.check(z.describe('Instead of worker.fallbackModel.'))),
  lastAttemptModel: z.optional(ModelName.check(z.describe('Instead of worker.lastAttemptModel.'))),
  effort: z.optional(z.enum(EFFORTS).check(z.describe('Instead of worker.effort.'))),
});
export type StoryWorker = z.infer<typeof StoryWorker>;
