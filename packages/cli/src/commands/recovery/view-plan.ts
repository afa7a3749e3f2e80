import type { RecoveryPlan } from '@saga-ai/core/recovery/plan';
import type { RecoverJson } from '@saga-ai/types/screens/json/recovery';
import type { Problem } from '@saga-ai/types/words/problem';

/** What `saga recover --json` prints. */
export const viewPlan = (
  plan: RecoveryPlan,
  problems: readonly Problem[],
  more: Partial<RecoverJson> = {},
): RecoverJson => ({ ...plan, resumed: [], discarded: null, problems: [...problems], ...more });
