import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_FOLDER_VARIABLE } from '../rig/client/client.ts';

export type Verdict = 'holds' | 'fails' | 'not claimed';

export interface VersionResult {
  version: string;
  /** By assumption. */
  verdicts: Map<string, Verdict>;
  failed: string[];
}

interface Report {
  testResults: { assertionResults: { title: string; status: string }[]; message?: string }[];
}

/** All contract tests against one client, in a process of their own. */
export function runContract(version: string, folder: string | undefined): VersionResult {
  const place = mkdtempSync(join(tmpdir(), 'saga-matrix-'));
  const file = join(place, 'report.json');
  try {
    spawnSync('vitest', ['run', 'test/contract', '--reporter=json', `--outputFile=${file}`], {
      env: { ...process.env, ...(folder ? { [CLIENT_FOLDER_VARIABLE]: folder } : {}) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readReport(version, JSON.parse(readFileSync(file, 'utf8')) as Report);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function readReport(version: string, report: Report): VersionResult {
  const verdicts = new Map<string, Verdict>();
  const failed: string[] = [];
  for (const { assertionResults, message } of report.testResults) {
    // A file that cannot even be loaded has no tests to report, but must not pass for that.
    if (assertionResults.length === 0) failed.push(message ?? 'a file without tests');
    for (const { title, status } of assertionResults) {
      const assumption = title.replace(/ \[claude [^\]]*\]$/, '');
      const verdict = status === 'passed' ? 'holds' : status === 'failed' ? 'fails' : 'not claimed';
      verdicts.set(assumption, verdict);
      if (verdict === 'fails') failed.push(assumption);
    }
  }
  return { version, verdicts, failed };
}
