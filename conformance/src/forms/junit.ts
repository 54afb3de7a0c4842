import { failureText } from '../report/failure-text.ts';
import type { CaseResult, Report, Status } from '../report/report.ts';

/**
 * Returns a report in the JUnit format, which most CI services show. `beyond`, `unsupported`, `skipped` and
 * known deviations become skips.
 */
export function junitReport(report: Report): string {
  const { cases, counts, milliseconds, started_at: startedAt, target, seed } = report;
  const known = (status: Status): number =>
    cases.filter((one) => one.known !== undefined && one.status === status).length;
  const [failures, errors] = [counts.fail - known('fail'), counts.error - known('error')];
  const skipped = cases.length - counts.pass - failures - errors;
  const totals = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${milliseconds / 1000}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="packhouse conformance" ${totals}>`,
    `  <testsuite name="${escaped(target.name)}" ${totals} timestamp="${startedAt}">`,
    '    <properties>',
    property('dialect', target.dialect, '      '),
    property('seed', String(seed), '      '),
    '    </properties>',
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(result: CaseResult): string {
  const { id, milliseconds, requirements, explanation, seed } = result;
  const slash = id.lastIndexOf('/');
  return [
    `    <testcase classname="${escaped(id.slice(0, Math.max(slash, 0)))}" name="${escaped(id.slice(slash + 1))}" time="${milliseconds / 1000}">`,
    '      <properties>',
    property('requirements', requirements.join(' '), '        '),
    property('explanation', explanation, '        '),
    property('seed', String(seed), '        '),
    '      </properties>',
    ...outcome(result),
    '    </testcase>',
  ].join('\n');
}

function outcome(result: CaseResult): string[] {
  const { status, failure, reason, known } = result;
  if (status === 'pass') return reason === null ? [] : [`      <system-out>${escaped(reason)}</system-out>`];
  if (known !== undefined) return [`      <skipped message="${escaped(`known ${status}: ${known}`)}"/>`];
  if (failure === null) return [`      <skipped message="${escaped(`${status}: ${reason ?? ''}`)}"/>`];
  const element = status === 'fail' ? 'failure' : 'error';
  const first = failure.message.split('\n')[0] ?? '';
  return [`      <${element} message="${escaped(first)}">${escaped(failureText(result))}</${element}>`];
}

function property(name: string, value: string, indent: string): string {
  return `${indent}<property name="${name}" value="${escaped(value)}"/>`;
}

/** Escapes a text for XML 1.0, which cannot express most control characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}
