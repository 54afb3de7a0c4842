import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine, runProgram } from '@packhouse/command';
import { afterAll, describe, expect, it } from 'vitest';
import type { Baseline } from '../baseline/baseline.ts';
import { judge } from '../baseline/judge.ts';
import { cases } from '../cases/index.ts';
import { schemaFaults, type Schema } from '../tools/json-schema.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { countStatuses, requirementResults } from '../report/report.ts';
import { fakeService } from '../run/fake-service.test.util.ts';
import { conformanceCommands } from './all.ts';
import { judgementText } from './baseline.ts';

const folder = mkdtempSync(join(tmpdir(), 'packhouse-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function ran(args: readonly string[], fetch = fakeService().target.fetch): Promise<Ran> {
  let out = '';
  let err = '';
  const program = { name: 'suite', version: '1.0.0', summary: 'Tests.', commands: conformanceCommands };
  const code = await runProgram(program, args, {
    out: (text) => void (out += text),
    outBytes: async () => {},
    err: (text) => void (err += text),
    outIsTerminal: false,
    errIsTerminal: false,
    env: { CONFORMANCE_API_TOKEN: 'api-token-of-a-test' },
    cwd: folder,
    program: 'suite',
    fetch: async (request) => (await fetch?.(request)) ?? Response.error(),
    onSignal: () => () => undefined,
  });
  return { code, out, err };
}

function written(name: string, value: unknown): string {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return name;
}

const result = (id: string, status: CaseResult['status'], more: Partial<CaseResult> = {}): CaseResult => ({
  id,
  status,
  requirements: ['GIT-003'],
  level: 'MUST',
  explanation: 'It does.',
  seed: 1,
  milliseconds: 1,
  reason: status === 'skipped' ? 'needs more' : null,
  failure: status === 'fail' || status === 'error' ? { message: `${id} ${status}\nmore`, where: null } : null,
  ...more,
});

const reportOf = (results: readonly CaseResult[], more: Partial<Report> = {}): Report => ({
  format: 'packhouse-conformance-report',
  version: 1,
  target: {
    name: 'http://fake.test',
    origin: 'http://fake.test',
    dialect: 'neutral',
    account: 'local',
    zone: null,
    public_service: false,
  },
  areas: [],
  seed: 7,
  prefix: 'ct-12345678',
  started_at: '2026-11-28T12:00:00.000Z',
  milliseconds: 1,
  interrupted: false,
  counts: countStatuses(results),
  cases: results,
  requirements: requirementResults(results),
  left_behind: [],
  ...more,
});

describe('explain', () => {
  it('has the requirements of a case with their text, its source and how to run it alone', async () => {
    const { code, out } = await ran(['explain', 'git/http/methods', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [
        {
          id: 'git/http/methods',
          explanation: expect.any(String),
          level: 'MUST',
          beyond: false,
          requirements: [
            {
              id: 'GIT-003',
              text: 'Another method on these paths: 405 with `Allow`.',
              link: expect.stringMatching(/docs\/specification\/git\.md$/),
            },
          ],
          needs: [],
          settings: null,
          source: expect.stringMatching(/^src\/cases\/git\/http\/routes\.ts:\d+$/),
          run: 'suite run URL --only git/http/methods',
        },
      ],
    ]);
  });

  it('finds the source and the specification of every case', async () => {
    const { out } = await ran(['explain', '*', '--json']);
    const explained = JSON.parse(out) as {
      id: string;
      source: string | null;
      requirements: { text: string | null }[];
    }[];
    expect(explained).toHaveLength(cases.length);
    const unknown = explained.filter(
      (one) => one.source === null || one.requirements.some(({ text }) => text === null),
    );
    expect(unknown.map(({ id }) => id)).toEqual([]);
  });

  it('says what a case needs, and suggests the id that was meant', async () => {
    expect((await ran(['explain', 'rest/permissions/*'])).out).toContain('needs      an API token that may only read');
    expect(await ran(['explain', 'git/htp/methods'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('hint: Did you mean "git/http/methods"?'),
    });
  });
});

describe('compare', () => {
  const first = written(
    'first.json',
    reportOf([
      result('a/same', 'fail'),
      result('a/differs', 'pass'),
      result('a/first', 'pass'),
      result('a/b', 'skipped'),
    ]),
  );
  const second = written(
    'second.json',
    reportOf([
      result('a/same', 'fail'),
      result('a/differs', 'fail'),
      result('a/first', 'skipped'),
      result('a/b', 'pass'),
    ]),
  );

  it('exits with 1 and shows both outcomes of a case and of a requirement that differ', async () => {
    const { code, out } = await ran(['compare', first, second]);
    expect(code).toBe(1);
    expect(out).toContain('a/differs\n  It does.\n  GIT-003\n  A pass\n  B fail\n      a/differs fail\n      more\n');
    expect(out).toContain('ran against A alone\n  a/first\n\nran against B alone\n  a/b\n');
    expect(out).toContain('2 cases ran against both, and 1 differ');
    const json = JSON.parse((await ran(['compare', first, second, '--json'])).out);
    expect(json).toMatchObject({ compared: 2, cases: [{ id: 'a/differs' }], requirements: [] });
  });

  it('exits with 0 if nothing differs, and with 2 if nothing can be compared', async () => {
    expect(await ran(['compare', first, first])).toMatchObject({
      code: 0,
      out: expect.stringContaining('none differs'),
    });
    const none = written('none.json', reportOf([]));
    expect(await ran(['compare', first, none])).toMatchObject({ code: 2, err: expect.stringContaining('No case ran') });
  });
});

describe('baseline', () => {
  const schemaOf = (name: string): Schema =>
    JSON.parse(readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8')) as Schema;
  const schema = schemaOf('baseline');
  // Against a service that stores only names, the first case fails, and the second one breaks.
  const ids = ['rest/credentials/refused', 'rest/request-ids/every-reply'] as const;
  const baselineOf = (...deviations: readonly unknown[]): unknown => ({
    format: 'packhouse-conformance-baseline',
    version: 1,
    deviations,
  });
  const known = (id: string): unknown => ({
    case: id,
    status: id === ids[1] ? 'error' : 'fail',
    reason: 'It is only a fake.',
  });
  const run = (file: string): Promise<Ran> =>
    ran(['run', 'http://fake.test', ...ids.flatMap((id) => ['--only', id]), '--baseline', file, ...forms]);
  const forms = ['json', 'junit', 'tap', 'markdown'].flatMap((form) => ['--report', `${form}=known.${form}`]);
  const form = (name: string): string => readFileSync(join(folder, `known.${name}`), 'utf8');

  it('prints the failures of a report, as its schema says', async () => {
    const report = written('failed.json', reportOf([result('a/fail', 'fail'), result('a/pass', 'pass')]));
    const { code, out } = await ran(['baseline', report]);
    const printed: unknown = JSON.parse(out);
    expect(printed).toMatchObject({ deviations: [{ case: 'a/fail', status: 'fail', reason: 'a/fail fail' }] });
    expect([code, schemaFaults(schema, printed)]).toEqual([0, []]);
  });

  it('brings one for workerd, of cases that exist', async () => {
    const text = readFileSync(new URL('../../baselines/workerd.json', import.meta.url), 'utf8');
    const baseline = JSON.parse(text) as { deviations: { case: string }[] };
    expect(schemaFaults(schema, baseline)).toEqual([]);
    const all = new Set(cases.map(({ id }) => id));
    expect(baseline.deviations.filter((deviation) => !all.has(deviation.case))).toEqual([]);
    expect((await run('workerd')).out).toContain(`regressions\n  ${ids[0]}: fail\n`);
  });

  it('lets a run pass if it has all failures', async () => {
    const { code, out } = await run(written('known.json', baselineOf(...ids.map(known))));
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('FAIL') });
    expect(out).toContain('0 of 2 pass, 2 known to fail\n');
    expect(out).toContain(`known deviations\n  ${ids[0]}: It is only a fake.\n  ${ids[1]}: It is only a fake.\n`);
    expect(form('junit')).toContain('tests="2" failures="0" errors="0" skipped="2"');
    expect(form('junit')).toContain('<skipped message="known error: It is only a fake."/>');
    expect(form('tap')).toContain(`not ok 1 - ${ids[0]} # TODO It is only a fake.\n`);
    expect(form('markdown')).toContain('### Known deviations');
    expect(schemaFaults(schemaOf('report'), JSON.parse(form('json')))).toEqual([]);
    // A report of a run with a baseline gives this baseline again, with what people wrote.
    const again = JSON.parse((await ran(['baseline', 'known.json'])).out) as Baseline;
    expect(again.deviations).toEqual(ids.map(known));
  });

  it('fails a run for a failure that it has not, or as another status', async () => {
    for (const other of [[], [{ case: ids[1], status: 'fail', reason: 'Unknown.' }]]) {
      const { code, out } = await run(written('regressed.json', baselineOf(known(ids[0]), ...other)));
      expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(`ERROR ${ids[1]}`) });
      expect(out).toContain(`regressions\n  ${ids[1]}: error\n`);
    }
  });

  it('fails a run for a case that disappeared', async () => {
    const { code, out } = await run(written('gone.json', baselineOf(...ids.map(known), known('a/gone'))));
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('suite has no more\n  a/gone\n') });
  });

  it('reports a deviation that no longer occurs, unless its case did not run', () => {
    const deviations = ['a/pass', 'a/skipped', 'a/left-out'].map((id) => ({ case: id, status: 'fail', reason: 'x' }));
    const judged = judge(
      [result('a/pass', 'pass'), result('a/skipped', 'skipped')],
      baselineOf(...deviations) as Baseline,
      new Set(['a/pass', 'a/skipped', 'a/left-out']),
    );
    expect(judged).toEqual({ known: [], regressions: [], disappeared: [], ended: [{ ...deviations[0], now: 'pass' }] });
    expect(judgementText(judged)).toContain('no longer occur: remove them from the baseline\n  a/pass: pass\n');
  });
});

describe('run', () => {
  it('refuses a setting that lets no case run, and says which would', async () => {
    const err = async (setting: string): Promise<string> =>
      (await ran(['run', 'http://fake.test', '--setting', setting])).err;
    expect(await err('deny_non_fastforward=true')).toContain('Did you mean "deny_non_fast_forward"?');
    expect(await err('push_commands_max=4')).toContain('Cases need push_commands_max=3.');
  });

  it('does not look passed if every case was skipped', async () => {
    expect(await ran(['run', 'http://fake.test', '--only', 'rest/permissions/*'])).toMatchObject({
      code: 2,
      out: expect.stringContaining('nothing was tested'),
      err: expect.stringContaining('no case ran'),
    });
  });
});

describe('the command line of explain', () => {
  it.each([
    ['git/existing/advertisements', 'suite run --git URL --read-only --only git/existing/advertisements'],
    ['errors/json/members', 'suite run --zone HOST --only errors/json/members'],
    ['git/refs/deny-non-fast-forward', 'suite run URL --setting deny_non_fast_forward=true --only git/refs/deny-'],
  ])('has the options that %s needs', async (id, line) => {
    expect((await ran(['explain', id])).out).toContain(line);
  });
});

describe('replay', () => {
  it('runs what failed with the same seed and options, and says what fails again', async () => {
    const failed = result('rest/credentials/refused', 'fail');
    const run = { url: 'http://fake.test', options: { account: 'a1', 'public-service': true as const } };
    const report = written('replayed.json', reportOf([failed, result('rest/repos/create', 'pass')], { run }));
    const { code, out } = await ran(['replay', report, 'http://fake.test']);
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('replayed with the seed 7\n') });
    expect(out).toContain('  fail again  rest/credentials/refused (was fail)\n');
    expect(out).toContain('suite run http://fake.test --account a1 --public-service --dialect neutral --seed 7 --only');
    const elsewhere = await ran(['replay', report, 'http://other.test', '--account', 'b2']);
    expect(elsewhere.out).toContain('suite run http://other.test --account b2');
    const git = { url: null, options: { git: 'http://git.test/a' } };
    const ofGit = written('git.json', reportOf([result('git/http/methods', 'fail')], { run: git }));
    expect(await ran(['replay', ofGit, 'http://git.test/b'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('http://git.test/b'),
    });
  });

  it('sends no credential to another machine that only the report names', async () => {
    const run = { url: 'https://elsewhere.test', options: {} };
    const report = written('strange.json', reportOf([result('rest/credentials/refused', 'fail')], { run }));
    const asked: string[] = [];
    const fetch = async ({ url }: Request): Promise<Response> => {
      asked.push(url);
      return Response.error();
    };
    expect(await ran(['replay', report], fetch)).toMatchObject({
      code: 2,
      err: expect.stringContaining('replay strange.json https://elsewhere.test'),
    });
    expect(asked).toEqual([]);
  });

  it('does nothing if nothing failed, and refuses a report whose cases the suite has no more', async () => {
    const passed = written('passed.json', reportOf([result('a/pass', 'pass')]));
    expect(await ran(['replay', passed])).toEqual({ code: 0, out: 'No case failed in passed.json.\n', err: '' });
    const old = written('old.json', reportOf([result('a/old', 'fail')]));
    expect(await ran(['replay', old])).toMatchObject({
      code: 2,
      err: expect.stringContaining('a/old is no case of this release'),
    });
  });
});

describe('docs/conformance.md', () => {
  const readFrom = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const text = readFrom('docs/conformance.md');

  it('has the examples for CI as their files are', () => {
    for (const name of ['github-actions', 'gitlab-ci'])
      expect(text).toContain(`\`\`\`yaml\n${readFrom(`conformance/examples/ci/${name}.yml`)}\`\`\`\n`);
  });

  it('has command lines that parse', () => {
    const lines = [...text.matchAll(/npx (?:-y )?@packhouse\/conformance ((?:[^`|>#\n]|\n +--)+)/g)];
    expect(lines.length).toBeGreaterThan(20);
    for (const [, line = ''] of lines) {
      const words = line
        .trim()
        .split(/\s+/)
        .map((word) => word.replaceAll("'", ''));
      expect(parseCommandLine(words, conformanceCommands, { env: {}, program: 'suite' }).kind, line).toBe('run');
    }
  });
});

describe('a file that a command cannot use', () => {
  const whole = reportOf([result('a/fail', 'fail')]);
  it.each([
    ['missing', undefined, 'There is no file x.json.'],
    ['no JSON', '<testsuites/>', 'x.json is no report: it is not JSON.'],
    ['another JSON', '[]', 'x.json is no report.'],
    ['a baseline', { format: 'packhouse-conformance-baseline' }, 'x.json is no report, but a baseline.'],
    ['of a later version', { ...whole, version: 2 }, 'is a report of version 2, and this release reads version 1.'],
    ['without seed', { ...whole, seed: undefined }, 'x.json is no whole report: seed is missing'],
    ['of other cases', { ...whole, cases: [{ id: 'a' }] }, 'x.json is no whole report: cases[0] is missing'],
    ['of a strange run', { ...whole, run: { url: null, options: { a: 1 } } }, 'no whole report: run is missing'],
  ])('is reported with a hint: %s', async (_what, content, message) => {
    rmSync(join(folder, 'x.json'), { force: true });
    if (content !== undefined) written('x.json', content);
    for (const args of [
      ['replay', 'x.json'],
      ['baseline', 'x.json'],
    ]) {
      const { code, err } = await ran(args);
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) });
      expect(err).toMatch(/^hint: \S.*$/m);
    }
  });

  it('is a folder, or a baseline with a fault', async () => {
    expect((await ran(['baseline', '.'])).err).toContain('. cannot be read (EISDIR).');
    const twice = { case: 'a/b', status: 'fail', reason: 'x' };
    for (const [deviations, fault] of [
      [[twice, twice], 'deviations[1]'],
      [[{ ...twice, status: 'pass' }], 'deviations[0]'],
      [{}, 'deviations'],
    ] as const) {
      const file = written('b.json', { format: 'packhouse-conformance-baseline', version: 1, deviations });
      const { code, err } = await ran(['run', 'http://fake.test', '--baseline', file]);
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(`${fault} is missing`) });
    }
  });
});
