import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Context } from '../core/context.ts';
import { Secrets } from '../core/secrets.ts';
import type { Target } from '../core/target.ts';
import { schemaFaults, type Schema } from '../tools/json-schema.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { fakeApiToken, fakeService } from '../run/fake-service.test.util.ts';
import { madeUp } from '../run/made-up-case.test.util.ts';
import { runCases } from '../run/run-cases.ts';
import { holds } from '../steps/holds.ts';
import { BodyCopy, bodyMax, copyOf, endOf, passingBy } from './body-copy.ts';
import type { Evidence, GitStep, HttpStep } from './evidence.ts';
import { startRecorder } from './recorder.ts';
import { evidenceRoom, toEvidence } from './to-evidence.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8')) as Schema;

async function ran(run: (t: Context) => Promise<unknown>, target: Target = fakeService().target): Promise<CaseResult> {
  const report: Report = JSON.parse(
    JSON.stringify(
      await runCases({
        target,
        cases: [madeUp(async (t) => void (await run(t)), { id: 'a/case' })],
        environment: process.env,
        seed: 7,
      }),
    ),
  ) as Report;
  expect(schemaFaults(schema, report)).toEqual([]);
  return report.cases[0] as CaseResult;
}

const httpSteps = ({ evidence }: CaseResult): readonly HttpStep[] => (evidence as Evidence).steps as HttpStep[];

it('a failed case shows its requests and git commands in order, without secrets', async () => {
  const result = await ran(async (t) => {
    const repo = await t.createRepo();
    await t.tryGit(['-c', `http.extraHeader=Authorization: Bearer ${repo.token}`, 'rev-parse', '--nothing']);
    await t.fetch(repo.remote, {
      method: 'POST',
      headers: { authorization: `Bearer ${repo.token}` },
      body: repo.token,
    });
    assert.fail('expected more');
  });
  const [made, git, sent] = (result.evidence as Evidence).steps as [HttpStep, GitStep, HttpStep];
  expect(result.evidence?.left_out).toBe(0);
  expect(made).toMatchObject({ kind: 'http', method: 'POST', raw: false, error: null, reply: { status: 201 } });
  expect(made.headers).toContainEqual(['authorization', 'Bearer $CONFORMANCE_API_TOKEN']);
  expect(made.reply?.body?.text).toContain('"token":"[token]***');
  expect(git).toMatchObject({ arguments: ['rev-parse', '--nothing'], credential: true, status: 128 });
  expect(git.stderr?.text).toContain('not a git repository');
  expect(sent.headers).toContainEqual(['authorization', 'Bearer [token]']);
  expect(sent.body).toMatchObject({ bytes: 66, cut: false, ended: true });
  expect(JSON.stringify(result)).not.toMatch(new RegExp(`${fakeApiToken}|[0-9a-f]{40}`));
});

it('only cases that fail, break or report a lack have evidence', async () => {
  const asked = (end: (t: Context) => void) => async (t: Context) => {
    await t.rest('GET', '/namespaces');
    end(t);
  };
  expect((await ran(asked(() => undefined))).evidence).toBeUndefined();
  expect((await ran(asked((t) => t.skip('no')))).evidence).toBeUndefined();
  expect(httpSteps(await ran(asked((t) => t.unsupported('no'))))).toHaveLength(1);
  expect(httpSteps(await ran(asked(() => void (null as never as string[]).length)))).toHaveLength(1);
  expect((await ran(async () => assert.fail('no'))).evidence).toBeUndefined();
});

it('streams stay streams, and the record has what passed by', async () => {
  let [pulled, cancelled] = [0, 0];
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      { pull: (to) => to.enqueue(new Uint8Array(10_000).fill(++pulled)), cancel: () => void (cancelled += 1) },
      { highWaterMark: 0 },
    );
  const reply = Object.defineProperty(new Response(body()), 'url', { value: 'http://elsewhere/' });
  const result = await ran(
    async (t) => {
      const response = await t.fetch(`${t.base}/x`);
      expect(response.url).toBe('http://elsewhere/');
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      for (let i = 0; i < 3; i++) await reader.read();
      expect(pulled).toBe(3);
      await reader.cancel();
      assert.fail('expected more');
    },
    fakeService({ fetch: async () => reply }).target,
  );
  expect([pulled, cancelled]).toEqual([3, 1]);
  const got = httpSteps(result)[0]?.reply?.body;
  expect(got).toMatchObject({ bytes: 30_000, cut: true, ended: false });
  expect(got?.text).toHaveLength(bodyMax);
});

it('a stream ends and fails with its source, also without a reader', async () => {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const made = (): ReadableStreamDefaultReader<Uint8Array> =>
    passingBy(new ReadableStream({ start: (controller) => void (source = controller) }), new BodyCopy()).getReader();
  const failing = made();
  source?.error(new Error('gone'));
  await expect(failing.closed).rejects.toThrow('gone');
  const ending = made();
  const reading = ending.read();
  source?.enqueue(Uint8Array.of(1));
  source?.close();
  expect(await reading).toEqual({ done: false, value: Uint8Array.of(1) });
  await ending.closed;
});

it('a stream that a case sends is recorded, and a reply that it does not read', async () => {
  const result = await ran(
    async (t) => {
      const sent: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body: new Blob(['abc', '\xff']).stream(),
        duplex: 'half',
      };
      await t.fetch(`${t.origin}/x`, { ...sent });
      assert.fail('expected more');
    },
    fakeService({ fetch: async (request) => new Response(await request.bytes()) }).target,
  );
  expect(httpSteps(result)[0]).toMatchObject({
    body: { bytes: 5, text: 'abc\u00ff' },
    reply: { body: { text: 'abc\u00ff', ended: true } },
  });
});

it('the evidence of a property is that of its smallest input, which the report has whole', async () => {
  const result = await ran(async (t) => {
    await t.rest('GET', '/before');
    const property = fc.asyncProperty(fc.nat(), fc.constant('x'.repeat(20_000)), async (number, text) => {
      await t.rest('GET', `/${number}`);
      assert.ok(number < 10 && text !== '', 'the number is small');
    });
    await holds(t, 100, property);
  });
  expect(result.status).toBe('fail');
  expect(result.failure?.input).toMatchObject({ text: `[10,"${'x'.repeat(20_000)}"]`, length: 20_007 });
  expect(result.failure?.input?.path).toMatch(/^\d+(:\d+)*$/);
  expect(result.failure?.message).toMatch(/^Property failed for random input \d+, .*\nthe number is small$/);
  expect(httpSteps(result).map(({ url }) => url.split('/').at(-1))).toEqual(['10']);
  expect(result.evidence?.left_out).toBeGreaterThan(1);
});

it('the number of steps and the bytes of all bodies are bounded', () => {
  const recorder = startRecorder();
  const target = fakeService().target;
  for (let i = 0; i < 100; i++) {
    const sent = { method: 'GET', url: String(i), headers: [], raw: false, reply: null, error: null };
    recorder.add({ kind: 'http', at: 0, milliseconds: null, ...sent, body: copyOf('x'.repeat(100_000)) });
  }
  const room = evidenceRoom();
  const made = toEvidence(recorder, { secrets: new Secrets(), target, room }) as {
    steps: HttpStep[];
    left_out: number;
  };
  expect([made.steps.length, made.left_out, made.steps[0]?.url]).toEqual([40, 60, '60']);
  expect(made.steps.at(-1)?.body).toMatchObject({ bytes: 100_000, cut: true });
  expect(JSON.stringify(made).length).toBeLessThan(300_000);
  // A run whose room is full keeps the starts of bodies.
  const less = toEvidence(recorder, { secrets: new Secrets(), target, room: { left: 0 } });
  expect((less.steps[0] as HttpStep).body?.text).toHaveLength(256);
});

it('a token is never recorded in part, wherever a body is cut', () => {
  const token = `secret-${'0123456789'.repeat(20)}`;
  const secrets = new Secrets();
  secrets.add(token);
  fc.assert(
    fc.property(
      fc.integer({ min: -300, max: 300 }),
      fc.constantFrom('start', 'end'),
      fc.boolean(),
      (at, which, wide) => {
        const filler = (length: number): string => (wide ? 'é' : 'x').repeat(Math.max(0, wide ? length >> 1 : length));
        const text =
          which === 'start' ? filler(bodyMax + at) + token + filler(9000) : filler(9000) + token + filler(4096 + at);
        const step = {
          kind: 'git',
          at: 0,
          milliseconds: 1,
          arguments: [],
          credential: false,
          status: 0,
          error: null,
        } as const;
        const recorder = startRecorder();
        const part = which === 'start' ? copyOf(text) : endOf(Buffer.from(text));
        recorder.add({ ...step, stdout: part, stderr: null });
        const made = toEvidence(recorder, { secrets, target: fakeService().target, room: evidenceRoom() });
        expect((made.steps[0] as GitStep).stdout?.text).not.toMatch(/\d|secret/);
      },
    ),
  );
});
