import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../run/fake-service.test.util.ts';
import { madeUp } from '../run/made-up-case.test.util.ts';
import { runCases } from '../run/run-cases.ts';
import { failureError } from '../report/failure-error.ts';
import { schemaFaults, type Schema } from '../tools/json-schema.ts';
import { junitReport } from './junit.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { reportText, resultLine } from './text.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8')) as Schema;

/** One case of each status. */
async function everyStatus(): Promise<Report> {
  return await runCases({
    target: fakeService({ publicService: true }).target,
    seed: 7,
    cases: [
      madeUp(async () => undefined, { id: 'a/pass' }),
      madeUp(async () => assert.deepEqual({ a: 1 }, { a: 2 }), { id: 'a/fail', requirements: ['GIT-003', 'REPO-007'] }),
      madeUp(async () => Promise.reject(new TypeError('<oops> & "\u001b[2J"')), { id: 'a/error' }),
      madeUp(async () => undefined, { id: 'a/beyond', beyond: true }),
      madeUp(async (t) => t.unsupported('not advertised'), { id: 'a/unsupported', level: 'MAY' }),
      madeUp(async () => undefined, { id: 'a/skipped', needs: ['zone'] }),
    ],
  });
}

describe('the JSON report', () => {
  it('matches its schema, with every status', async () => {
    const report: unknown = JSON.parse(JSON.stringify(await everyStatus()));
    expect(schemaFaults(schema, report)).toEqual([]);
    expect((report as Report).counts).toEqual({ pass: 1, fail: 1, error: 1, beyond: 1, unsupported: 1, skipped: 1 });
  });

  it.each([
    ['a member is missing', (report: Record<string, unknown>) => delete report['seed']],
    ['a member is new', (report: Record<string, unknown>) => (report['more'] = 1)],
    [
      'a status is unknown',
      (report: Record<string, unknown>) => ((report['cases'] as { status: string }[])[0]!.status = 'ok'),
    ],
    ['a count is none', (report: Record<string, unknown>) => ((report['counts'] as { pass: unknown }).pass = '1')],
  ])('does not match the schema if %s', async (_how, damage) => {
    const report = JSON.parse(JSON.stringify(await everyStatus())) as Record<string, unknown>;
    damage(report);
    expect(schemaFaults(schema, report)).toHaveLength(1);
  });
});

describe('the JUnit report', () => {
  it('has the counts and names that people look for', async () => {
    const xml = junitReport(await everyStatus());
    expect(xml).toContain('<testsuites name="packhouse conformance" tests="6" failures="1" errors="1" skipped="3" ');
    expect(xml).toMatch(
      /<testcase classname="a" name="fail" time="[\d.]+">\n\s+<properties>\n\s+<property name="requirements" value="GIT-003 REPO-007"\/>/,
    );
    expect(xml).toContain('<skipped message="skipped: needs a hostname that serves platform errors (--zone)"/>');
    expect(xml).toContain('<error message="TypeError: &lt;oops&gt; &amp; &quot;\uFFFD[2J&quot;">');
  });

  it('is well-formed XML', async () => {
    expect(openElements(junitReport(await everyStatus()))).toEqual([]);
  });
});

it('a failed test gives its purpose, its failure and the command to run it again', async () => {
  const { cases, seed } = await everyStatus();
  const failed = cases.find(({ status }) => status === 'fail') as CaseResult;
  const error = failureError(failed, seed);
  expect(error).toMatchObject({ name: 'ConformanceError', expected: '{ a: 2 }', actual: '{ a: 1 }' });
  expect(error.stack).toMatch(/^ConformanceError: It does\.\nfail: [^]*\nseed of the run 7, case a\/fail$/);
});

describe('the report for people', () => {
  it('shows a failure with everything needed to investigate it', async () => {
    const report = await everyStatus();
    const text = reportText(report, (id) => `packhouse conformance run --seed ${report.seed} --only ${id}`);
    const { seed } = report.cases[1] as { seed: number };
    for (const part of [
      'FAIL a/fail\n  It does.\n  GIT-003, REPO-007\n',
      `seed of the case ${seed}; again: packhouse conformance run --seed 7 --only a/fail`,
      'unsupported\n  not advertised\n    a/unsupported\n',
      'skipped\n  needs a hostname that serves platform errors (--zone)\n    a/skipped\n',
      'cases         6: 1 fail, 1 error, 1 pass, 1 beyond, 1 unsupported, 1 skipped\n',
      'requirements  2: 2 fail\n',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows the notes of passing cases, in each format', async () => {
    const report = await runCases({
      target: fakeService().target,
      cases: [
        madeUp(async (t) => t.note('mode <404>'), { id: 'a/found' }),
        madeUp(async () => undefined, { id: 'a/silent' }),
      ],
    });
    expect(reportText(report, (id) => id)).toContain('pass\n  mode <404>\n    a/found\n\n');
    expect(reportText(report, (id) => id)).not.toContain('a/silent');
    expect(junitReport(report)).toContain('<system-out>mode &lt;404&gt;</system-out>');
    expect(schemaFaults(schema, JSON.parse(JSON.stringify(report)))).toEqual([]);
  });

  it('contains no control characters, which could rewrite a terminal', async () => {
    const report = await everyStatus();
    const lines = report.cases.map((result) => resultLine(result)).join('\n');
    expect(`${reportText(report, (id) => id)}${lines}`).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });
});

/** Returns the elements that a document leaves open. Throws at anything except tags, text and declarations. */
function openElements(xml: string): string[] {
  const open: string[] = [];
  const rest = xml
    .replace(/^<\?xml [^>]*\?>/, '')
    .replaceAll(
      /<(\/?)([\w]+)((?:\s+[\w]+="[^"<]*")*)\s*(\/?)>/g,
      (_all, closes: string, name: string, _attributes, empty: string) => {
        if (closes !== '') assert.equal(open.pop(), name);
        else if (empty === '') open.push(name);
        return '';
      },
    );
  assert.doesNotMatch(rest, /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/);
  return open;
}
