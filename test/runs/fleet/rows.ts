/** One thing that goes wrong in a fleet, and what is promised then. A test of this folder plays it. */
export interface FleetRow {
  /** For docs/reliability.md. */
  fault: string;
  /** In sentences. */
  happens: string;
}

/** In the order of docs/reliability.md. In every row nothing is lost, nothing is merged twice. */
export const FLEET_ROWS = {
  killed: {
    fault: 'a machine is killed (`kill -9`)',
    happens:
      'After `engine.leaseSeconds` another machine takes the story and goes on from the last push.',
  },
  frozen: {
    fault: 'a machine freezes for longer than its lease, and comes back',
    happens:
      'Another machine finishes the story. The pushes of the first one are refused, and its worker is stopped.',
  },
  stopped: {
    fault: 'a machine is stopped (Ctrl-C, `systemctl stop`)',
    happens: 'It gives the story back, and another machine goes on at once.',
  },
  'scheduler killed': {
    fault: 'the machine of a scheduler is killed',
    happens: 'Another machine takes the epic over. Every story is merged once.',
  },
  'two schedulers': {
    fault: 'two schedulers for one epic: the machine of the first one was only frozen',
    happens: 'The first one loses its lease and stops. Every story is merged once.',
  },
  'handed over twice': {
    fault: 'somebody hands the same epic over a second time',
    happens: 'Nothing changes, and the command says so.',
  },
  'database away': {
    fault: 'the database is stopped for a while, and started again',
    happens: 'Workers go on, commands show what was known last, and the story ends as usual.',
  },
  'remote away': {
    fault: 'the remote cannot be reached from the middle of a run on',
    happens:
      'The story ends and needs you. Handed over again with the remote back, it ends without another run.',
  },
  'disk full': {
    fault: "a machine's disk is full",
    happens:
      'It gives the story back, and another machine finishes it. It takes nothing new until there is room; `saga fleet` says why.',
  },
  'clocks apart': {
    fault: 'clocks of two machines are ten minutes apart',
    happens:
      'The session that began last is the newest one for all commands, also after a takeover.',
  },
  'does not fit': {
    fault: 'a wrong password, a name that is taken, another version, a missing label',
    happens:
      'The agent ends with an error, or the machine does not take the story; `saga fleet` says why.',
  },
} as const satisfies Record<string, FleetRow>;

export type FleetRowId = keyof typeof FLEET_ROWS;

/** The name of the test that plays a row, or several. */
export const titleOf = (...ids: readonly FleetRowId[]): string =>
  ids.map((id) => `${FLEET_ROWS[id].fault}: ${FLEET_ROWS[id].happens}`).join(' And ');
