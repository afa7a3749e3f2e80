import { SagaError } from '@saga-ai/core/errors';
import type { DraftContent, PlanDraft, ProposalRequest } from '@saga-ai/types/screens/planning';

/** Reads the draft of a request. Whether the draft is valid is judged later. */
export function readContent(body: unknown): DraftContent {
  const { content } = fieldsOf(body);
  const { text, plan } = fieldsOf(content);
  if (typeof text === 'string') return { text };
  if (typeof plan === 'object' && plan !== null) return { plan: plan as PlanDraft };
  throw new SagaError('usage', 'The request has no draft.', 'Nothing was changed.');
}

/** Returns undefined if the request has no such text. */
export function readText(body: unknown, name: string): string | undefined {
  const value = fieldsOf(body)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The most characters of a goal. */
const MOST_CHARACTERS = 100_000;

export function readProposalRequest(body: unknown): ProposalRequest {
  const { maxUsd } = fieldsOf(body);
  const goal = readText(body, 'goal')?.trim() ?? '';
  if (goal === '') throw refuse('The goal is empty.', 'Say what is to be planned.');
  if (goal.length > MOST_CHARACTERS) {
    throw refuse('The goal is too long.', `Shorten it to ${MOST_CHARACTERS} characters.`);
  }
  if (typeof maxUsd !== 'number' || !Number.isFinite(maxUsd) || maxUsd <= 0) {
    throw refuse('The limit is not an amount of dollars.', 'Such as 2.50');
  }
  return { goal, maxUsd };
}

const refuse = (message: string, hint: string) => new SagaError('usage', message, hint);

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
