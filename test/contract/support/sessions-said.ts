import { isObject, listOf, textOf } from '@saga-ai/model/json';
import type { StagedRun } from '../../rig/client/stage.ts';

/** What user and model had said to each other when the model was first asked, oldest first. */
export function saidBefore({ model }: Pick<StagedRun, 'model'>): string[] {
  const first = model.requests.find((request) => request.kind === 'turn');
  const messages = isObject(first?.body) ? listOf(first.body.messages) : [];
  return messages.filter(isObject).flatMap(({ role, content }) => {
    const text = textOf(content)
      .replace(/<system-reminder>.*?<\/system-reminder>/gs, '')
      .trim();
    return text === '' || role === 'system' ? [] : [`${role}: ${text}`];
  });
}
