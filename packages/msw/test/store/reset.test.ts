import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { SeedError, type Fault, type Mock, type Seed } from '../../src/index.ts';
import { clockedMock, send } from './clocked-mock.ts';
import { held, seen } from './seen.ts';
import { anyStep, restRequest, take, type Stage, type Step } from './steps.ts';

const baseUrl = 'https://api.example.test';
const seed: Seed = {
  namespaces: ['empty'],
  repos: { notes: { files: { 'a.txt': 'a\n' } }, 'team/api': {} },
  tags: [
    { type: 'worker', id: 'w1', tags: { env: 'prod' } },
    { repo: 'notes', tags: { env: 'test' } },
  ],
};
const faults: readonly Fault<Seed>[] = [
  { kind: 'platform error', code: 522, path: '/v4/never', times: 3 },
  { kind: 'latency', milliseconds: 1, times: 2 },
];

const stageOf = (options: { readonly seed?: Seed } = {}): Stage => {
  const time = { now: Date.UTC(2026, 0, 1) };
  return { mock: clockedMock({ baseUrl, seed, faults, clock: { now: () => time.now }, ...options }), time, tokens: [] };
};

/** Creates a mock at the current time of a stage. */
const freshAt = ({ time }: Stage, options: { readonly seed?: Seed } = {}): Mock => {
  const { now } = time;
  return clockedMock({ baseUrl, seed, faults, clock: { now: () => now }, ...options });
};

/** Resolves when a request that was sent has reached the mock. */
const arrival = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const secretsOf = ({ tokens }: Stage): readonly string[] => tokens.map(({ secret }) => secret).slice(-3);

describe('reset', () => {
  test.prop([fc.array(anyStep, { maxLength: 12 })], { numRuns: runs(30) })(
    'makes a mock equal to a fresh one after any steps',
    async (steps) => {
      const stage = stageOf();
      for (const step of steps) await take(stage, step);
      await stage.mock.store.reset();
      expect(await seen(stage.mock, secretsOf(stage))).toEqual(await seen(freshAt(stage), secretsOf(stage)));
    },
  );

  test.prop(
    [
      fc.array(anyStep, { maxLength: 6 }),
      fc.array(anyStep, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
    ],
    {
      numRuns: runs(30),
    },
  )('requests in flight at a reset have no effect after it', async (before, underWay, ticks) => {
    const stage = stageOf();
    const waits = (step: Step): boolean => step.do === 'wait' || step.do === 'reset';
    for (const step of before) await take(stage, step);
    const running = underWay.filter((step) => !waits(step)).map((step) => take(stage, step));
    for (let tick = 0; tick < ticks; tick++) await arrival();
    await stage.mock.store.reset();
    const fresh = freshAt(stage);
    const right = await held(fresh);
    expect(await held(stage.mock)).toEqual(right);
    await Promise.all(running);
    expect(await held(stage.mock)).toEqual(right);
    expect(await seen(stage.mock, secretsOf(stage))).toEqual(await seen(fresh, secretsOf(stage)));
  });

  it('ends a pending latency, and the old content answers that request', async () => {
    const stage = stageOf();
    const { mock } = stage;
    await mock.store.seed({ namespaces: ['before'] });
    mock.faults.clear();
    mock.faults.add({ kind: 'latency', milliseconds: 1_000_000_000 });
    const running = send(mock.handlers, restRequest(baseUrl, 'GET', '/v4/accounts/local/repos/namespaces/before'));
    await arrival();
    await mock.store.reset();
    expect(await running).toMatchObject({ status: 200 });
    expect(await seen(mock)).toEqual(await seen(freshAt(stage)));
  });

  it('two resets at once count as one', async () => {
    const stage = stageOf();
    await stage.mock.store.seed({ namespaces: ['before'] });
    await Promise.all([stage.mock.store.reset(), stage.mock.store.reset()]);
    expect(await seen(stage.mock)).toEqual(await seen(freshAt(stage)));
  });

  it('starts again while the first seed is still being stored', async () => {
    const stage = stageOf();
    const early = send(
      stage.mock.handlers,
      restRequest(baseUrl, 'DELETE', '/v4/accounts/local/repos/namespaces/empty'),
    );
    const added = stage.mock.store.seed({ namespaces: ['before'] });
    await arrival();
    await stage.mock.store.reset();
    expect(await early).toMatchObject({ status: 204 });
    await added;
    expect(await seen(stage.mock)).toEqual(await seen(freshAt(stage)));
  });

  it('rejects like the first seed, for every caller', async () => {
    const broken = { seed: { namespaces: ['fine', 'not fine'] } };
    const stage = stageOf(broken);
    const { store, handlers } = stage.mock;
    const everybody = async (): Promise<void> => {
      await expect(store.ready()).rejects.toThrow(SeedError);
      await expect(store.inspect.namespaces()).rejects.toThrow('namespaces[1]: ');
      await expect(store.createToken('notes')).rejects.toThrow(SeedError);
      await expect(store.seed({ namespaces: ['more'] })).rejects.toThrow(SeedError);
      const reply = await send(handlers, restRequest(baseUrl, 'GET', '/v4/accounts/local/repos/namespaces'));
      expect(JSON.stringify(reply)).toContain('namespaces[1]: ');
    };
    await everybody();
    await expect(store.reset()).rejects.toThrow(SeedError);
    await everybody();
  });

  it('a later seed that fails leaves its first part, and a reset drops it', async () => {
    const stage = stageOf();
    const { store } = stage.mock;
    await expect(store.seed({ namespaces: ['some', 'not fine'] })).rejects.toThrow(SeedError);
    expect((await store.inspect.namespaces()).map(({ namespace }) => namespace)).toContain('some');
    await store.seed({ namespaces: ['more'] });
    await store.reset();
    expect(await seen(stage.mock)).toEqual(await seen(freshAt(stage)));
  });
});
