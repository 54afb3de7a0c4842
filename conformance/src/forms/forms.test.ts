import { Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { reportForms } from './forms.ts';
import { hostileReport, hostileReports } from '../tools/hostile-report.ts';
import type { Report } from '../report/report.ts';

const rerun = (id: string): string => `packhouse conformance run --only ${id}`;

it('NDJSON has a line for each case and a summary, for any texts of a service', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      const lines = reportForms.ndjson(report, rerun).split('\n');
      expect(lines.pop()).toBe('');
      const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const { type, ...summary } = parsed.pop() ?? {};
      const cases = parsed.map(({ type: _type, ...one }) => one);
      expect(type).toBe('summary');
      expect({ ...summary, cases }).toEqual(JSON.parse(JSON.stringify(report)));
    }),
  );
});

it('TAP has one test point for each case, with YAML that says what failed, for any texts of a service', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      const [version, plan, ...lines] = reportForms.tap(report, rerun).trimEnd().split('\n');
      expect([version, plan]).toEqual(['TAP version 14', `1..${report.cases.length}`]);
      const points: { ok: boolean; id: string; skip: boolean; yaml: string[] }[] = [];
      let inYaml = false;
      for (const line of lines) {
        const [, not, number, id = '', skip] = /^(not )?ok (\d+) - (\S+)( # SKIP .*)?$/.exec(line) ?? [];
        if (line === '  ---') inYaml = true;
        else if (line === '  ...') inYaml = false;
        else if (inYaml) points.at(-1)?.yaml.push(line);
        else if (number !== undefined) {
          expect(Number(number)).toBe(points.length + 1);
          points.push({ ok: not === undefined, id, skip: skip !== undefined, yaml: [] });
        } else expect(line).toMatch(/^(?:# |Bail out! )/);
      }
      expect(points.map(({ id }) => id)).toEqual(report.cases.map(({ id }) => id));
      for (const [index, { status, failure, explanation }] of report.cases.entries()) {
        const { ok, skip, yaml } = points[index] as (typeof points)[number];
        expect([ok, skip]).toEqual([failure === null, failure === null && status !== 'pass']);
        if (failure === null) continue;
        const said = parse(yaml.join('\n')) as Record<string, unknown>;
        expect([said['message'], said['explanation']]).toEqual([failure.message, explanation].map(asJson));
      }
    }),
  );
});

const asJson = (text: string): unknown => JSON.parse(JSON.stringify(text));

it('Markdown has no markup, link or picture of a service', () => {
  const parser = new Parser();
  fc.assert(
    fc.property(hostileReport, (report) => {
      const walker = parser.parse(reportForms.markdown(report, rerun)).walker();
      for (let event = walker.next(); event !== null; event = walker.next()) {
        const { type, literal } = event.node;
        expect(['link', 'image', 'emph', 'code']).not.toContain(type);
        if (type !== 'html_block' && type !== 'html_inline') continue;
        expect((literal ?? '').replaceAll(/<\/?(?:details|summary|code|b)>/g, '')).not.toMatch(/[<>]/);
      }
    }),
  );
});

it('a summary in Markdown stays below the limit of CI services', () => {
  const one = hostileReports(1)[0] as Report;
  const failure = { message: 'x'.repeat(100_000), where: null };
  const failed = { ...(one.cases[0] as Report['cases'][number]), status: 'fail' as const, failure };
  const cases = Array.from({ length: 900 }, (_, index) => ({ ...failed, id: `git/case/number-${index}` }));
  const text = reportForms.markdown({ ...one, cases }, rerun);
  expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
  expect(text).toMatch(/\d+ more failures are in the other reports/);
});

it('no form for a terminal has characters that move the cursor or reverse text', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      for (const form of ['text', 'tap', 'markdown', 'badge'] as const) {
        expect(reportForms[form](report, rerun)).not.toMatch(
          /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u,
        );
      }
    }),
  );
});
