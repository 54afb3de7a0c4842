import type { CaseResult } from '@packhouse/conformance';

/** The reasons why cases are not run against any mock: missing features, and features of only one dialect. */
const beyondMocks: ReadonlySet<string> = new Set([
  'needs stock git on this machine, and a service that it reaches',
  'needs a service that other processes reach',
  'needs a deployment that maintains what it stores',
  'needs a deployment started with a webhook sink on this machine',
  'needs a deployment that imports from a remote on this machine',
  'needs a public repository to import (--import-url)',
  'needs a repository to read (--git URL --read-only)',
  'needs a probe beside the binding (--binding-url, CONFORMANCE_BINDING_SECRET)',
  'only the neutral dialect names no platform',
]);

/** Returns the cases whose outcome is neither right nor a known skip. `known`: further reasons by case. */
export function unexpected(
  results: readonly CaseResult[],
  known: Readonly<Record<string, string>> = {},
): readonly string[] {
  const seen = new Map(results.map((result) => [result.id, result]));
  const isKnown = ({ id, status, reason }: CaseResult): boolean =>
    status === 'skipped' && reason !== null && (known[id] === reason || beyondMocks.has(reason));
  return [
    ...results
      .filter((result) => (result.status === 'skipped' || result.status === 'unsupported') && !isKnown(result))
      .map(({ id, status, reason }) => `${status} ${id}: ${reason ?? ''}`),
    ...Object.keys(known)
      .filter((id) => seen.get(id)?.status === 'pass')
      .map((id) => `pass ${id}: it is known to be skipped`),
  ];
}

/** Counts the outcomes by status and reason, so that no skip is silent. */
export function outcome(name: string, results: readonly CaseResult[]): string {
  const passed = results.filter(({ status }) => status === 'pass').length;
  const counts = new Map<string, number>();
  for (const { status, reason } of results) {
    if (status === 'pass') continue;
    const what = reason === null ? status : `${status}, ${reason}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const slowest = [...results].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 3);
  return [
    `${name}: ${passed} of ${results.length} cases pass`,
    ...[...counts].map(([what, count]) => `  ${count} ${what}`),
    `  slowest: ${slowest.map(({ id, milliseconds }) => `${id} ${milliseconds} ms`).join(', ')}`,
  ].join('\n');
}
