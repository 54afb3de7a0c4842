/** Reports of services that try to break the forms of a report, for tests. */

import fc from 'fast-check';
import type { HttpStep, RecordedBody } from '../evidence/evidence.ts';
import { countStatuses, requirementResults, statuses, type CaseResult, type Report } from '../report/report.ts';

/** Texts that a service may send to break a form of a report. */
export const hostileTexts: readonly string[] = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</pre></details><h1>owned</h1>',
  '"><svg onload=alert(1)>',
  ']]>&lt;&amp;&#0;',
  'a\u202egnp.exe\u2066b\u200bc',
  '\u001b[2J\u001b]0;owned\u0007\r\n',
  '\0\u0001\u007f\u0085\u2028\ud800\uffff',
  '```\n````\n<details>\n| a | b |\n',
  '[x](javascript:alert(1)) ![y](http://example.com/z.png) **b** `c` @someone',
  'ok 1 - all is well\n...\n---\nnot ok 7\nBail out!',
  "'; rm -rf / #\n$(id) `id`",
  '# SKIP\\',
];

/** Any text, often a hostile one. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.array(fc.constantFrom(...hostileTexts), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

const body: fc.Arbitrary<RecordedBody | null> = fc.option(
  fc.oneof(
    fc.record({ bytes: fc.nat(), text: anyText, cut: fc.boolean(), ended: fc.boolean() }),
    fc.uint8Array({ maxLength: 80 }).map((bytes) => ({
      bytes: bytes.length,
      base64: Buffer.from(bytes).toString('base64'),
      cut: false,
      ended: true,
    })),
  ),
);
const headers = fc.array(fc.tuple(anyText, anyText), { maxLength: 2 });
const step: fc.Arbitrary<HttpStep> = fc.record({
  kind: fc.constant('http' as const),
  at: fc.nat(),
  milliseconds: fc.option(fc.nat()),
  raw: fc.boolean(),
  method: anyText,
  url: anyText,
  headers: headers.map((some) => [...some, ['content-type', 'application/x-git-upload-pack-request']] as const),
  body,
  reply: fc.option(fc.record({ status: fc.constant(200), headers, body })),
  error: fc.option(anyText),
});

const result: fc.Arbitrary<Omit<CaseResult, 'id'>> = fc
  .record({
    status: fc.constantFrom(...statuses),
    requirements: fc.constantFrom(['GIT-003'], ['REPO-007', 'TAG-001']),
    level: fc.constantFrom('MUST', 'SHOULD', 'MAY'),
    explanation: anyText,
    seed: fc.nat(),
    milliseconds: fc.nat(),
    reason: fc.option(anyText),
    failure: fc.record({ message: anyText, expected: anyText, seen: anyText, where: fc.option(anyText) }),
    steps: fc.array(step, { maxLength: 2 }),
  })
  .map(({ steps, failure, ...rest }) => {
    const failed = rest.status === 'fail' || rest.status === 'error';
    return { ...rest, failure: failed ? failure : null, evidence: { steps, left_out: 0 } };
  });

/** Reports of a service that is hostile. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    results: fc.array(result, { minLength: 1, maxLength: 6 }),
    name: anyText,
    leftBehind: fc.array(anyText, { maxLength: 2 }),
    interrupted: fc.boolean(),
  })
  .map(({ results, name, leftBehind, interrupted }) => {
    const areas = ['git', 'rest'];
    const cases = results.map((one, index) => ({ id: `${areas[index % 2]}/case/number-${index}`, ...one }));
    return reportOf(cases, name, leftBehind, interrupted);
  });

export function reportOf(
  cases: readonly CaseResult[],
  name = 'made up',
  leftBehind: readonly string[] = [],
  interrupted = false,
): Report {
  return {
    format: 'packhouse-conformance-report',
    version: 1,
    target: { name, origin: name, dialect: 'neutral', account: 'local', zone: null, public_service: false },
    areas: [{ area: 'git', found: true, evidence: name }],
    seed: 7,
    prefix: 'ct-00000000',
    started_at: '2026-11-05T07:41:12.000Z',
    milliseconds: 12,
    interrupted,
    counts: countStatuses(cases),
    cases,
    requirements: requirementResults(cases),
    left_behind: leftBehind,
  };
}

/** Returns some of these reports, always the same ones. */
export function hostileReports(count: number): readonly Report[] {
  return fc.sample(hostileReport, { seed: 7, numRuns: count });
}
