/**
 * What one run may read, write and reach. It is the only description of that: the guard decides by it
 * before a call, the sandbox is built from it for the time of the call, and what a run changed in the
 * plan is judged by its story afterwards.
 */
export interface Confinement {
  storyId: string;
  /** Real path of the story's worktree. A run reads and writes there. */
  worktree: string;
  /** Real paths outside the worktree that may be read, such as where the agent keeps long outputs. */
  readable: readonly string[];
  /** Real paths outside the worktree that commands must be able to write: git's folder, for commits. */
  writable: readonly string[];
  /** Hosts that commands may reach; `*` is any host. */
  hosts: readonly string[];
  /** What `~` stands for. */
  homeFolder: string;
  /** Which files may be written, by their path in the worktree. Missing, all of them may. */
  mayWrite?: (path: string) => boolean;
  agent: AgentScope;
}

/** The part that the guard decides by. What commands reach by themselves is the sandbox's to keep. */
export type GuardedScope = Omit<Confinement, 'writable' | 'hosts'>;

/** What depends on the agent that works there. */
export interface AgentScope {
  /** The tool that sets the status of a task. */
  statusTool: string;
  /**
   * Returns why a run may not write a file of the agent's own, or undefined if it may. The path comes
   * in parts, below the worktree and folded as names are compared.
   */
  refuse(parts: readonly string[]): string | undefined;
}
