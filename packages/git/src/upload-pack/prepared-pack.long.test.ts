import { fc, test } from '@fast-check/vitest';
import { afterAll, expect, it, vi } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine, type GitEngine } from '../engine/engine.ts';
import { blob, commit, tag, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository, type MadeFetch } from '../maintain/maintained-repository.test.util.ts';
import { newPackId, type PackStore } from '../ports/pack-store.ts';
import type { PreparedPack, PreparedRecords } from '../ports/prepared-records.ts';
import { RandomHistory, someSteps } from '../maintain/random-history.test.util.ts';

const codec = nodeCodec();
const newEngine = (): GitEngine => createGitEngine({ codec, prepared: { max: 1e9, least: 0 } });

const someFetches = fc.array(
  fc.record({
    wants: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    words: fc.subarray(['ofs-delta', 'include-tag', 'thin-pack']),
    lines: fc.constantFrom<string[]>([], ['deepen 1'], ['deepen 2'], ['filter blob:none'], ['filter tree:0']),
  }),
  { minLength: 2, maxLength: 2 },
);

let hits = 0;
afterAll(() => expect(hits).toBeGreaterThan(0));

test.prop([fc.array(fc.tuple(someSteps, someFetches), { minLength: 1, maxLength: 3 })], { numRuns: 2 })(
  'GIT-187: a prepared pack has what a new one would have after any history of the repository',
  async (rounds) => {
    const repository = new MaintainedRepository();
    const engine = (repository.engine = newEngine());
    const take = vi.spyOn(engine.prepared, 'take');
    const history = new RandomHistory(repository);
    for (const [steps, fetches] of rounds) {
      for (const step of steps.slice(0, 12)) await history.run(step);
      const values = [...repository.refs.values()].map(({ id }) => id);
      if (values.length === 0) continue;
      for (const { wants, words, lines } of fetches) {
        const request: MadeFetch = {
          wants: wants.map((number) => values[number % values.length] as string),
          words: ['shallow', 'filter', ...words].join(' '),
          lines,
        };
        const expected = await repository.fetch(request, createGitEngine({ codec }));
        for (let time = 0; time < 2; time++) {
          expect([...(await repository.fetch(request, engine))].sort()).toEqual([...expected].sort());
        }
      }
    }
    hits += take.mock.results.filter(({ value }) => value !== undefined).length;
    await engine.prepared.close();
    await repository.check();
  },
);

async function pushed(
  prepared?: Partial<PreparedRecords>,
): Promise<{ repository: MaintainedRepository; request: MadeFetch }> {
  const repository = new MaintainedRepository(700, (ports) =>
    prepared === undefined ? ports : { ...ports, prepared: { ...ownRecords(ports.packs), ...prepared } },
  );
  const file = blob('text');
  const root = tree([{ name: 'file', object: file }]);
  const tip = commit(root, [], 1);
  await repository.push([{ ref: 'refs/heads/main', new: tip }], [tip, root, file]);
  repository.engine = newEngine();
  return { repository, request: { wants: [tip.id], words: 'ofs-delta', lines: [] } };
}

/** Records that another process could read. */
function ownRecords(packs: PackStore): PreparedRecords {
  const [begun, finished] = [new Set<string>(), new Map<string, PreparedPack>()];
  return {
    take: async (key) => finished.get(key),
    async begin(key) {
      begun.add(key);
      return packs.reserve();
    },
    finish: async (key, pack) => void (begun.delete(key) && finished.set(key, pack)),
    async drop(key) {
      for (const name of key === undefined ? [...begun, ...finished.keys()] : [key]) {
        begun.delete(name);
        finished.delete(name);
      }
    },
  };
}

it('GIT-187: records that do not answer fail no fetch', async () => {
  for (const method of ['take', 'begin', 'finish'] as const) {
    const { repository, request } = await pushed({ [method]: () => Promise.reject(new Error('no answer')) });
    for (let time = 0; time < 2; time++) {
      expect((await repository.fetch(request, repository.engine, undefined, ['no answer'])).size).toBe(3);
    }
  }
});

it('GIT-127: keeps no pack of a repository that changed before its record was begun', async () => {
  let change = async (): Promise<unknown> => undefined;
  const { repository, request } = await pushed({
    async begin() {
      await change();
      return newPackId();
    },
  });
  change = () => repository.push([{ ref: 'refs/heads/main', new: null }], []);
  expect((await repository.fetch(request, repository.engine)).size).toBe(3);
  expect(repository.refs.size).toBe(0);
  expect(repository.store.files.size).toBe(0);
});

it('GIT-187: a pack that was lost fails one fetch, and the next one makes it again', async () => {
  const { repository, request } = await pushed();
  const { engine, store } = repository;
  await repository.fetch(request, engine);
  expect(store.files.size).toBe(1);
  store.files.clear();
  await expect(repository.fetch(request, engine)).rejects.toThrow();
  expect((await repository.fetch(request, engine)).size).toBe(3);
  expect(store.files.size).toBe(1);
  expect((await repository.fetch(request, engine)).size).toBe(3);
});

it('GIT-187: prepares no pack for patterns that a ref names, however the filter is written', async () => {
  const { repository, request } = await pushed();
  const { engine, store } = repository;
  for (const filter of [
    'sparse:oid=main:file',
    'combine:%73parse:oid=main:file',
    'combine:blob:none+%73parse%3aoid=main%3afile',
  ]) {
    await repository.fetch({ ...request, words: 'ofs-delta filter', lines: [`filter ${filter}`] }, engine);
    expect(store.files.size).toBe(0);
  }
});

it('GIT-187: a server that stops does not wait for memory that a preparation needs', async () => {
  const { repository, request } = await pushed();
  const engine = createGitEngine({ codec, memory: 24e6, prepared: { max: 1e9, least: 0 } });
  const reserve = engine.admission.reserve.bind(engine.admission);
  let waiting = (): void => {};
  const waits = new Promise<void>((resolve) => (waiting = resolve));
  vi.spyOn(engine.admission, 'reserve').mockImplementation(async (bytes, shares, applicant) => {
    if (applicant?.tenant !== 'prepared packs') return reserve(bytes, shares, applicant);
    const all = await reserve(engine.admission.requestMost, false);
    waiting();
    return reserve(bytes, shares, applicant).finally(() => all.release());
  });
  const fetched = repository.fetch(request, engine);
  await waits;
  await engine.prepared.close();
  await fetched;
  expect(repository.store.files.size).toBe(0);
});

it('GIT-187: a store that takes no pack fails no fetch', async () => {
  const { repository, request } = await pushed();
  const { engine, store } = repository;
  const put = vi.spyOn(store, 'put').mockRejectedValue(new Error('the disk is full'));
  for (let time = 0; time < 2; time++) {
    expect((await repository.fetch(request, engine, undefined, ['the disk is full'])).size).toBe(3);
  }
  put.mockRestore();
  await repository.fetch(request, engine);
  expect(store.files.size).toBe(1);
});

it('GIT-187: a full disk is no failure of a fetch, and a push that meets one removes what was prepared', async () => {
  const { repository, request } = await pushed();
  const { engine, store } = repository;
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  await repository.fetch(request, engine);
  expect(store.files.size).toBe(1);
  const large = blob('x'.repeat(2_000_000).replaceAll('x', () => String.fromCharCode(33 + Math.random() * 90)));
  const tip = commit(tree([{ name: 'large', object: large }]), [], 2);
  const put = vi.spyOn(store, 'put').mockRejectedValue(full);
  const upload = vi.spyOn(store, 'upload').mockRejectedValue(full);
  const command = { ref: 'refs/heads/large', new: tip };
  // It fails, as its error is also logged.
  await expect(repository.report([command], [tip, tree([{ name: 'large', object: large }]), large])).rejects.toThrow();
  expect(store.files.size).toBe(0);
  expect((await repository.fetch(request, engine)).size).toBe(3);
  put.mockRestore();
  upload.mockRestore();
});

it('GIT-187: what was prepared for the tags of before is not sent any more', async () => {
  const { repository, request } = await pushed();
  const { engine } = repository;
  const tip = repository.refs.get('refs/heads/main');
  const withTags = { ...request, words: 'ofs-delta include-tag' };
  await repository.fetch(withTags, engine);
  const made = tag(tip as MadeObject, 2);
  await repository.push([{ ref: 'refs/tags/one', new: made }], [made]);
  expect((await repository.fetch(withTags, engine)).has(made.id)).toBe(true);
  await repository.push([{ ref: 'refs/tags/one', new: null }], []);
  expect((await repository.fetch(withTags, engine)).has(made.id)).toBe(false);
});
