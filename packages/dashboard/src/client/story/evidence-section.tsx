import type { Evidence, VerifyRun } from '@saga-ai/types/run/evidence';
import { stateOfCheck } from '@saga-ai/types/screens/story-state';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { TEXT } from '../state/tone-classes.ts';
import { formatMoment } from '../text/times.ts';
import { Section } from '../ui/section.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';

interface EvidenceSectionProps {
  evidence: Evidence;
  isUnverified: boolean;
  /** Whether the evidence is valid for the story as it is now. */
  isCurrent: boolean;
}

/** Shows each check of the gate with its result. */
export function EvidenceSection({ evidence, isUnverified, isCurrent }: EvidenceSectionProps) {
  const passed = evidence.outcome === 'passed';
  return (
    <Section
      id="evidence"
      title="Evidence"
      count={
        <span
          className={TEXT[passed ? (isUnverified || !isCurrent ? 'waiting' : 'done') : 'needs-you']}
        >
          {passed ? (isCurrent ? '✓ gate passed' : '! gate passed earlier') : '✗ gate failed'}
          {passed && !isCurrent ? ' · the story is not in review now' : ''}
          {passed && isUnverified ? ' · unverified: no command tested the code' : ''}
        </span>
      }
    >
      <div className="panel overflow-hidden">
        <ul className="divide-y divide-line">
          {evidence.checks.map((check) => (
            <li
              key={check.name}
              className="grid grid-cols-[auto_8rem_1fr] items-baseline gap-x-2.5 px-4 py-1.5 text-sm max-sm:grid-cols-[auto_1fr]"
            >
              <StateGlyph state={stateOfCheck(check.outcome)} />
              <span className="font-mono text-xs">{check.name}</span>
              <span
                className={`min-w-0 max-sm:col-start-2 ${check.outcome === 'skipped' ? 'text-faint' : 'text-soft'}`}
              >
                {check.detail}
              </span>
            </li>
          ))}
        </ul>
        {evidence.verify ? <Verify run={evidence.verify} /> : null}
        <dl className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line bg-sunken px-4 py-2 text-xs text-faint">
          <Fact name="commits" value={`${short(evidence.base)}..${short(evidence.head)}`} />
          <Fact name="tree" value={short(evidence.tree)} />
          <Fact name="checked" value={formatMoment(evidence.endedAt)} />
          {evidence.client ? <Fact name="client" value={evidence.client} /> : null}
          <Fact name="signed with" value={evidence.seal?.key ?? 'no key'} />
        </dl>
      </div>
      {evidence.warnings?.map((warning) => (
        <p key={warning} className="mt-2 text-sm text-waiting">
          ! {warning}
        </p>
      ))}
      {evidence.restored.length > 0 ? (
        <p className="mt-2 text-sm text-waiting">
          ! Put back, since a run changed the plan:{' '}
          <span className="font-mono text-xs">{evidence.restored.join('  ')}</span>
        </p>
      ) : null}
    </Section>
  );
}

function Verify({ run }: { run: VerifyRun }) {
  const took = formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  return (
    <div className="border-t border-line px-4 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <code className="font-mono text-xs">
          <span className="text-faint">$ </span>
          {run.command}
        </code>
        <span className="text-xs text-faint">
          exit{' '}
          <span className={run.exitCode === 0 ? 'text-done' : 'text-needs-you'}>
            {run.exitCode ?? 'none'}
          </span>
          {' · '}
          {took}
        </span>
      </p>
      {run.outputEnd.trim() === '' ? null : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="mt-2 max-h-56 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap"
        >
          {run.outputEnd.trimEnd()}
        </pre>
      )}
      <p className="mt-1.5 font-mono text-xs text-faint" title={run.outputSha256}>
        sha256 {run.outputSha256.slice(0, 16)}…
      </p>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="shrink-0">{name}</dt>
      <dd className="min-w-0 font-mono break-all text-soft">{value}</dd>
    </div>
  );
}

const short = (hash: string) => hash.slice(0, 8);
