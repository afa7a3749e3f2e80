import type { Surroundings } from './surroundings.ts';

/**
 * What one run may read, write and reach. The guard decides by it before a call, the sandbox is built
 * from its surroundings, the prompt names them, and after the run the changes to the plan are judged by
 * its story.
 */
export interface Confinement {
  storyId: string;
  /** The real path of the story's worktree. A run may read and write there. */
  worktree: string;
  /** Real paths outside the worktree that may be read, such as the agent's folder for long outputs. */
  readable: readonly string[];
  /** The folder that `~` stands for. */
  homeFolder: string;
  /** Whether a path of the worktree may be written. If undefined, every path may be written. */
  mayWrite?: (path: string) => boolean;
  /** Whether a path of the worktree is protected: no story may change it. If undefined, no path is protected. */
  isProtected?: (path: string) => boolean;
  agent: AgentScope;
  /** What commands of the run may use outside the worktree. Undefined if no sandbox encloses the run. */
  surroundings?: Surroundings;
}

/** The part that depends on the agent. */
export interface AgentScope {
  /** The tool that sets the status of a task. */
  statusTool: string;
  /**
   * Returns why a run may not write one of the agent's own files, or undefined if it may. The path
   * comes in parts, relative to the worktree and folded for comparison.
   */
  refuse(parts: readonly string[]): string | undefined;
}
