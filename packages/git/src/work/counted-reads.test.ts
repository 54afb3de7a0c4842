import { beforeAll, describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { ContentReader } from '../content/content-reader.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { prepareFilter } from '../filter/prepare-filter.ts';
import { blob, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { Visibility } from '../repository/visibility.ts';
import { uploadPack } from '../upload-pack/upload-pack.ts';
import { cost, sliceUnits } from './costs.ts';
import { meteredEngine, type MeteredEngine } from './metered-engine.test.util.ts';
import { WorkAbortedError, type WorkOptions } from './scheduler.ts';

const links = 30;
const size = 4_000_000;
const codec = nodeCodec();

/** The last of a chain of deltas over a large blob is the only file; all of them are in one pack. */
function chainHistory(): { readonly root: MadeObject; readonly entries: readonly MadeEntry[] } {
  const body = Buffer.alloc(size, 'not so easy to compress, but easy enough ');
  const first = blob(body.toString('latin1'));
  const entries: MadeEntry[] = [first];
  let last: MadeObject = first;
  for (let i = 1; i <= links; i++) {
    body.write(String(i), size - 4, 'latin1');
    last = blob(body.toString('latin1'));
    entries.push({ ...last, base: entries.at(-1) as MadeEntry, by: 'offset' });
  }
  const folder = tree([{ name: 'file', object: last }]);
  const root = commit(folder, [], 1);
  return { root, entries: [...entries, folder, root] };
}

const made = new MaintainedRepository(1_000_000);
let root: MadeObject;

beforeAll(async () => {
  const history = chainHistory();
  root = history.root;
  expect(await made.push([{ ref: 'refs/heads/main', new: root }], history.entries)).toEqual(['ok refs/heads/main']);
});

/** Expects that the counted work covers that of the codec, and that no work runs for long. */
function expectHonest({ engine, meter }: MeteredEngine): void {
  for (const kind of [cost.inflated, cost.deflated, cost.hashed, cost.compared]) {
    expect(engine.scheduler.totals[kind], `cost ${kind}`).toBeGreaterThanOrEqual(meter.amounts[kind] as number);
  }
  expect(engine.scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
  expect(meter.longest).toBeLessThan(2 * sliceUnits);
}

/** A clone by a client that takes no thin packs: the file must be sent whole. */
async function clone({ engine }: MeteredEngine, options: WorkOptions = {}): Promise<number> {
  const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const body = Buffer.from(`${line(`want ${root.id} ofs-delta\n`)}0000${line('done\n')}`);
  const failures: unknown[] = [];
  const reply = await uploadPack(engine, made.repository, made.state.current, once(body), {
    ...options,
    version: 0,
    hiddenRefs: [],
    bodyMax: 1e6,
    keepAlive: 60_000,
    failed: (error) => void failures.push(error),
  });
  const { length } = await new Response(reply.body as BodyInit).bytes();
  if (failures.length > 0) throw failures[0];
  return length;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

describe('the end of a long chain of large deltas (LIM-062)', () => {
  it('is counted, and sent in short stretches', async () => {
    const metered = meteredEngine({ codec });
    expect(await clone(metered)).toBeGreaterThan(1000);
    expect(metered.meter.amounts[cost.deflated]).toBeGreaterThanOrEqual(size);
    expectHonest(metered);
    expect(metered.engine.scheduler.totals[cost.rebuilt]).toBeGreaterThanOrEqual(links * size);
  });

  it('is no more worked on once the client has left', async () => {
    const metered = meteredEngine({ codec });
    const gone = new AbortController();
    const rest = clone(metered, { signal: gone.signal });
    setTimeout(() => gone.abort());
    await expect(rest).rejects.toThrow(WorkAbortedError);
    expect(metered.engine.scheduler.totals[cost.rebuilt]).toBeLessThan((links * size) / 2);
  });
});

describe('reads of content', () => {
  async function open({ engine }: MeteredEngine, options: WorkOptions = {}): Promise<ContentReader> {
    const work = engine.scheduler.begin(options);
    return ContentReader.open(engine, made.repository, made.state.current, { hiddenRefs: [], work });
  }

  it('REPO-147: a file at the end of a long chain is counted, and made in short stretches', async () => {
    const metered = meteredEngine({ codec });
    const found = await (await open(metered)).file('main', Buffer.from('file'));
    const body = await found?.body((error) => {
      throw error;
    });
    expect((await new Response(body as BodyInit).bytes()).length).toBe(size);
    expectHonest(metered);
    expect(metered.engine.scheduler.totals[cost.rebuilt]).toBeGreaterThanOrEqual(links * size);
  });

  it('ends when the client has left', async () => {
    const metered = meteredEngine({ codec });
    const gone = new AbortController();
    const found = await (await open(metered, { signal: gone.signal })).file('main', Buffer.from('file'));
    setTimeout(() => gone.abort());
    await expect(found?.head(10)).rejects.toThrow(WorkAbortedError);
    expect(metered.engine.scheduler.totals[cost.rebuilt]).toBeLessThan((links * size) / 2);
    expect(metered.engine.admission.reserved).toBe(0);
  });
});

describe('paths through large folders', () => {
  const levels = 8;
  const wide = new MaintainedRepository(1_000_000);

  beforeAll(async () => {
    const file = blob('*\n');
    const fill = Array.from({ length: 20_000 }, (_, i) => ({ name: `entry ${i}`, object: file }));
    const folders: MadeObject[] = [];
    for (let level = 0; level < levels; level++) {
      folders.push(tree([...fill, { name: 'z', object: folders.at(-1) ?? file }]));
    }
    const tip = commit(folders.at(-1) as MadeObject, [], 1);
    await wide.push([{ ref: 'refs/heads/main', new: tip }], [file, ...folders, tip]);
  });

  it('GIT-083, REPO-147: are walked in short stretches, and each entry is counted', async () => {
    const path = Array.from({ length: levels }, () => 'z').join('/');
    const { engine } = meteredEngine({ codec });
    const { current } = wide.state;
    const work = engine.scheduler.begin();
    const reader = await ContentReader.open(engine, wide.repository, current, { hiddenRefs: [], work });
    expect((await reader.file('main', Buffer.from(path)))?.size).toBe(2);
    const read = engine.scheduler.totals[cost.entries] as number;
    expect(read).toBeGreaterThan(levels * 20_000);
    const view = await RepositoryView.open(engine, wide.repository, current, work);
    await prepareFilter(view, new Visibility(view, []), parseFilter(`sparse:oid=main:${path}`));
    expect(engine.scheduler.totals[cost.entries]).toBeGreaterThan(read + levels * 20_000);
    expect(engine.scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
  });
});

describe('maintenance', () => {
  it('is counted, and goes on in short stretches', async () => {
    const other = new MaintainedRepository(100_000);
    const files = Array.from({ length: 3000 }, (_, i) => blob(`${i} `.repeat(500)));
    let parent: MadeObject[] = [];
    for (let push = 0; push < 3; push++) {
      const added = files.slice(1000 * push, 1000 * (push + 1));
      const folder = tree(added.map((object, i) => ({ name: `f${i}`, object })));
      const tip = commit(folder, parent, push);
      await other.push([{ ref: 'refs/heads/main', new: tip }], [...added, folder, tip]);
      parent = [tip];
    }
    const metered = meteredEngine({ codec });
    other.engine = metered.engine;
    expect(await other.maintain({ mode: 'full' })).toMatchObject({ mergedPacks: 3, madePacks: 1 });
    expectHonest(metered);
  });
});
