import { createHash } from 'node:crypto';

/** One text of a project that names a program or gives a run more rights. */
export interface TrustPart {
  /** The name that people see: `gate.verify`, `hooks`, `verify of cart-api`. */
  name: string;
  /** Where it is written, relative to the project. */
  file: string;
  text: string;
  /** Parts of the same kind with the same text are the same thing: a command that was agreed to once is known. */
  kind: string;
}

/** What a person agreed to: for each name, the digests of its texts. */
export type AgreedParts = Readonly<Record<string, readonly string[]>>;

export interface JudgedPart extends TrustPart {
  state: 'known' | 'changed' | 'new';
}

function digestPart({ kind, text }: Pick<TrustPart, 'kind' | 'text'>): string {
  return createHash('sha256').update(`${kind}\0${text}`).digest('hex');
}

/** Says of each part whether the person agreed to it, agreed to another text of that name, or never agreed. */
export function judgeParts(parts: readonly TrustPart[], agreed: AgreedParts): JudgedPart[] {
  const known = new Set(Object.values(agreed).flat());
  return parts.map((part) => {
    if (known.has(digestPart(part))) return { ...part, state: 'known' };
    return { ...part, state: Object.hasOwn(agreed, part.name) ? 'changed' : 'new' };
  });
}

/** The most texts that are kept under one name, newest last. SAGA does not ask again about a text that is kept. */
const MOST_KEPT = 20;

export function addParts(agreed: AgreedParts, parts: readonly TrustPart[]): AgreedParts {
  const next: Record<string, readonly string[]> = { ...agreed };
  for (const part of parts) {
    const digest = digestPart(part);
    const before = (Object.hasOwn(next, part.name) ? next[part.name] : undefined) ?? [];
    next[part.name] = [...before.filter((it) => it !== digest), digest].slice(-MOST_KEPT);
  }
  return next;
}
