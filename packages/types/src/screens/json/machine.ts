import * as z from 'zod/mini';
import { Problem } from '../../words/problem.ts';
import { Finding } from '../finding.ts';
import { LIFE_STATES } from '../life.ts';
import { ProgressView } from '../overview.ts';

/** The `--json` output of the commands about this machine, and of every command that fails. */
const texts = z.array(z.string());

export const DashboardJson = z.strictObject({
  url: z.string(),
  token: z.string(),
  port: z.number(),
  notes: texts,
});
export type DashboardJson = z.infer<typeof DashboardJson>;

const TestCount = z.strictObject({ passed: z.number(), total: z.number() });

export const DemoJson = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.string(),
      state: z.enum(LIFE_STATES),
      progress: ProgressView,
      branch: z.nullable(z.string()),
      commits: z.number(),
      evidence: z
        .nullable(z.strictObject({ command: z.string(), holds: z.boolean() }))
        .check(
          z.describe('The verify command, and whether the gate passed and nothing changed since.'),
        ),
      question: z.nullable(z.string()),
      trouble: z
        .nullable(z.string())
        .check(z.describe('Any other reason why the story waits for a person.')),
      waitsFor: texts,
    }),
  ),
  testsBefore: TestCount,
  testsAfter: TestCount,
  receipt: z.optional(texts),
  storiesMs: z.number(),
  totalMs: z.number(),
  client: z.string(),
  folder: z.string(),
});
export type DemoJson = z.infer<typeof DemoJson>;

export const DoctorJson = z.strictObject({
  holds: z.boolean(),
  findings: z.array(Finding),
  fixed: texts,
});
export type DoctorJson = z.infer<typeof DoctorJson>;

export const TrustJson = z.strictObject({
  project: z.string(),
  trusted: z.boolean(),
  parts: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string().check(z.describe('Where it is written, relative to the project.')),
      text: z.string(),
      state: z
        .enum(['known', 'changed', 'new'])
        .check(z.describe('Whether the person agreed to it, to another text, or never.')),
    }),
  ),
});
export type TrustJson = z.infer<typeof TrustJson>;

export const CompletionsJson = z.strictObject({
  shell: z.enum(['bash', 'zsh', 'fish']),
  script: z.string(),
});
export type CompletionsJson = z.infer<typeof CompletionsJson>;

export const CompleteJson = z.strictObject({
  candidates: z
    .array(z.array(z.string()))
    .check(z.describe('A word and its description, if it has one.')),
});
export type CompleteJson = z.infer<typeof CompleteJson>;

export const ModelJson = z.strictObject({ url: z.string() });
export type ModelJson = z.infer<typeof ModelJson>;

const Summary = z.strictObject({ name: z.string(), summary: z.string() });

export const HelpJson = z.strictObject({ commands: z.array(Summary) });
export type HelpJson = z.infer<typeof HelpJson>;

export const CommandHelpJson = z.strictObject({
  name: z.string(),
  summary: z.string(),
  args: z.array(z.record(z.string(), z.unknown())),
  options: z.record(z.string(), z.record(z.string(), z.unknown())),
  verbs: z.array(Summary),
});

/** The output of every command that fails. It has no version. */
export const ErrorJson = z.strictObject({
  error: z.strictObject({
    code: Problem.shape.code,
    message: z.string(),
    hint: z.string(),
    problems: z.optional(z.array(Problem)).check(z.describe('All problems, if there are several.')),
  }),
});
export type ErrorJson = z.infer<typeof ErrorJson>;
