import { rmSync } from 'node:fs';
import { DashboardRecord } from '@saga-ai/types/screens/dashboard-record';
import { ensureIgnoredFolder, replacePrivately } from '../files/atomic-write.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { describeProcess, isProcessGone } from '../processes/identity.ts';
import { dashboardRecordFile, type Paths } from '../project/paths.ts';

/** Tells other commands the address of the dashboard. If there are several, the last one counts. */
export function announceDashboard(paths: Paths, url: string): Disposable {
  const record: DashboardRecord = { version: 1, ...describeProcess(process.pid), url };
  ensureIgnoredFolder(paths.runs);
  const file = dashboardRecordFile(paths);
  replacePrivately(file, formatJson(record));
  return {
    [Symbol.dispose]() {
      if (load(paths)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

/** Returns the address of a running dashboard, without a slash at the end, or undefined. */
export function findDashboard(paths: Paths): string | undefined {
  const record = load(paths);
  return record && !isProcessGone(record) ? record.url : undefined;
}

function load(paths: Paths): DashboardRecord | undefined {
  const result = readJsonFile(paths.root, dashboardRecordFile(paths), DashboardRecord);
  return 'value' in result ? result.value : undefined;
}
