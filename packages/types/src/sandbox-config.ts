import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const DOMAIN = /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/;
const domain = z
  .string()
  .check(
    z.refine((it) => DOMAIN.test(it), 'must be a host such as registry.npmjs.org or *.example.com'),
  );

const SECRETS = [
  '~/.ssh',
  '~/.aws',
  '~/.azure',
  '~/.config/gcloud',
  '~/.config/gh',
  '~/.docker',
  '~/.git-credentials',
  '~/.gnupg',
  '~/.kube',
  '~/.local/share/keyrings',
  '~/.mozilla',
  '~/.config/chromium',
  '~/.config/google-chrome',
  '~/.netrc',
  '~/.password-store',
  '~/.pypirc',
  '~/.bash_history',
  '~/.zsh_history',
];

const CACHES = [
  '~/.npm',
  '~/.cache/pnpm',
  '~/.local/share/pnpm',
  '~/.cache/yarn',
  '~/.cache/pip',
  '~/.cache/uv',
  '~/.cache/go-build',
  '~/go/pkg',
  '~/.cargo/registry',
];

/** The settings of the sandbox: a part of `Config`. */
export const SandboxConfig = z.prefault(
  z.strictObject({
    hide: z
      ._default(z.array(text), SECRETS)
      .check(z.describe('Files and folders that a run in the sandbox cannot read.')),
    caches: z
      ._default(z.array(text), CACHES)
      .check(
        z.describe(
          'Folders of package managers. In the sandbox there are private ones for all stories of a project: one for runs, one for clean checkouts.',
        ),
      ),
    allow: z
      ._default(z.array(text), [])
      .check(
        z.describe(
          'Further files, folders and sockets that a run in the sandbox may write, such as /run/postgresql.',
        ),
      ),
    network: z
      ._default(z.enum(['open', 'model', 'list']), 'open')
      .check(
        z.describe(
          "What the sandbox can reach. open: everything. model: only the model's provider. list: the model's provider and sandbox.domains.",
        ),
      ),
    domains: z
      ._default(z.array(domain), [])
      .check(
        z.describe(
          'Hosts that the sandbox can reach if sandbox.network is list: registry.npmjs.org, *.example.com for all names below, db.example.com:5432 for another port than those of http and https, localhost:5432 for a port of this machine.',
        ),
      ),
  }),
  {},
);
