/**
 * Variables that reach the model's provider or steer the client. Commands of the project get none of
 * them.
 */
export const isModelVariable = (name: string): boolean =>
  /^(ANTHROPIC_|CLAUDE_)/.test(name) || name === 'AWS_BEARER_TOKEN_BEDROCK';
