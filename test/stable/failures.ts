export interface Failure {
  /** File and full name of a test; of a file that could not be run, the file alone. */
  name: string;
  message: string;
}

export interface RunReport {
  tests: number;
  failures: Failure[];
}

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
  }[];
}

/** One run: a test that failed, a file that could not be run, or a run that did not end well for another reason. */
export function readReport(
  json: string | undefined,
  code: number | null,
  stderr: string,
  root: string,
): RunReport {
  if (json === undefined) {
    const message = stderr.trim().split('\n').at(-1) ?? '';
    return { tests: 0, failures: [{ name: `the run itself (exit code ${code})`, message }] };
  }
  const { numTotalTests, testResults } = JSON.parse(json) as Report;
  const failures = testResults.flatMap((file) => {
    const name = file.name.replace(root, '');
    const failed = file.assertionResults.filter((it) => it.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') {
      return [{ name, message: file.message ?? '' }];
    }
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${name} > ${fullName}`,
      message: failureMessages?.[0] ?? '',
    }));
  });
  if (failures.length > 0 || code === 0) return { tests: numTotalTests, failures };
  const message = stderr.trim().split('\n').at(-1) ?? '';
  return {
    tests: numTotalTests,
    failures: [{ name: `outside of any test (exit code ${code})`, message }],
  };
}

/** Each with how often it failed and how it did the first time; the most frequent first. */
export function countFailures(reports: readonly RunReport[]): (Failure & { count: number })[] {
  const counts = new Map<string, Failure & { count: number }>();
  for (const failure of reports.flatMap((report) => report.failures)) {
    const known = counts.get(failure.name);
    if (known) known.count++;
    else counts.set(failure.name, { ...failure, count: 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}
