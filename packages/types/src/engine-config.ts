import * as z from 'zod/mini';

/** The settings of a fleet: several machines that share the work of a repository. */
export const EngineConfig = z.prefault(
  z.strictObject({
    url: z
      ._default(z.nullable(z.string().check(z.regex(/^postgres(ql)?:\/\//))), null)
      .check(
        z.describe(
          'Address of the PostgreSQL database of the fleet, postgres://…. null: there is no fleet. Only your own settings file and the variable can set it.',
        ),
      ),
    leaseSeconds: z
      ._default(z.int().check(z.gte(10)), 20)
      .check(
        z.describe(
          'Seconds without a report after which a machine counts as lost. Another machine then takes over its stories.',
        ),
      ),
    keepDays: z
      ._default(z.int().check(z.gte(1)), 14)
      .check(z.describe('How many days the engine keeps events of workers and ended jobs.')),
  }),
  {},
);
