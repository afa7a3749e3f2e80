export type { Call, Conversation } from './conversation.ts';
export type { Fault, RefusedConnection, SlowStream, StatusFault } from './fault.ts';
export type { ModelRequest } from './model-request.ts';
export { type WalkOptions, walkTasks } from './policies/walk-tasks.ts';
export { loadScript, parseScript, type Script } from './script.ts';
export { type Model, type ModelOptions, startModel } from './start-model.ts';
export type { Policy, ToolCall, Turn, Usage } from './turn.ts';
