import { fc, it as property } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import type { RefName } from '../refs/ref-name.ts';
import { cost } from '../work/costs.ts';
import { wireText } from '../wire/packets.test.util.ts';
import { keepAlivePacket } from '../wire/side-band.ts';
import { RemoteError } from './remote-error.ts';
import { answering, Importing, recordedReplies } from './recorded-remote.test.util.ts';

const refs = {
  'refs/heads/main': '3a0af792391233f31f7a9caf7f2c97cece0c4ad9',
  'refs/heads/topic': '551c947b3dc8fbdf4cad933d2eb4642027185242',
  'refs/tags/light': '551c947b3dc8fbdf4cad933d2eb4642027185242',
  'refs/tags/v1': '594d24bea69fc6a7696963312ef41251e1291808',
};

/** Returns the outcome of an import with these replies. No outcome may leave a half-made import or a waiting caller. */
async function outcomeOf(replies: readonly Uint8Array[], partSize?: number): Promise<string> {
  const importing = new Importing(partSize);
  try {
    await importing.run({ fetch: answering(replies) });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    expect(importing.isUntouched).toBe(true);
    expect(['stalled', 'timed out', 'cancelled']).not.toContain(error.code);
    return error.code;
  }
  await importing.soundRefs();
  return 'imported';
}

describe.each([0, 1, 2] as const)('importRemote, recorded in version %i', (version) => {
  const replies = recordedReplies('clone', version);
  /** Every byte, unless it is left to CI. */
  const every = 5 / runs(5);
  /** The versions have most of their replies in common. */
  const step = (version === 2 ? 1 : 3) * every;

  property.prop([fc.array(fc.nat(), { maxLength: 6 })], { numRuns: runs(30) })(
    'REPO-130: imports all branches and tags, however the replies are cut into chunks',
    async (cuts) => {
      const importing = new Importing();
      const { plan, push } = await importing.run({ fetch: answering(replies, cuts) });
      expect(await importing.soundRefs()).toEqual(refs);
      expect([plan.defaultBranch, push?.version]).toEqual(['main', 2]);
      expect(importing.state.packs).toMatchObject([{ exact: true, where: 'rows' }]);
    },
  );

  it('REPO-128: reports a reply that ends too early at any position, and leaves nothing', async () => {
    for (const [which, reply] of replies.entries()) {
      for (let length = 0; length < reply.length; length += every) {
        const outcome = await outcomeOf(
          replies.with(which, reply.subarray(0, length)),
          length % 2 === 0 ? 64 : undefined,
        );
        expect(`${which} at ${length}: ${outcome}`).toBe(`${which} at ${length}: broken off`);
      }
    }
  });

  it('REPO-128: reports a changed byte at any position, unless it is harmless', async () => {
    const outcomes = new Map<string, number>();
    for (const [which, reply] of replies.entries()) {
      for (let at = 0; at < reply.length; at += step) {
        const changed = reply.slice();
        // Every bit has its turn.
        changed[at] = (changed[at] as number) ^ (1 << ((at * 5 + version) % 8));
        const outcome = await outcomeOf(replies.with(which, changed), at % 2 === 0 ? 64 : undefined);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
    // Of a pack no byte may be other than it was; what is left are names of refs and what the remote says of itself.
    const size = replies.at(-1)?.length ?? 0;
    expect(outcomes.get('bad pack')).toBeGreaterThan(size / 2 / step);
    expect(outcomes.get('imported') ?? 0).toBeLessThan(
      replies.slice(0, -1).reduce((sum, { length }) => sum + length, 0),
    );
  });

  property.prop([fc.nat(2), fc.uint8Array({ maxLength: 300 })], { numRuns: runs(200) })(
    'REPO-128: reports any other bytes instead of a reply',
    async (place, bytes) => {
      const which = place % replies.length;
      expect(await outcomeOf(replies.with(which, bytes))).not.toBe('imported');
    },
  );

  property.prop([fc.nat(2), fc.nat(), fc.nat(50), fc.uint8Array({ maxLength: 50 })], { numRuns: runs(300) })(
    'REPO-128: reports a replaced part, unless it is harmless',
    async (place, at, length, bytes) => {
      const which = place % replies.length;
      const reply = replies[which] as Uint8Array;
      const from = at % reply.length;
      const changed = Buffer.concat([reply.subarray(0, from), bytes, reply.subarray(from + length)]);
      await outcomeOf(replies.with(which, changed));
    },
  );
});

describe('importRemote', () => {
  const replies = recordedReplies('clone', 2);

  /** The same, with 2,500 more refs in the list. */
  function withMore(folder: string): readonly Uint8Array[] {
    const line = (_: unknown, i: number): string => wireText(`${refs['refs/heads/main']} ${folder}/${i}\n`);
    const lines = Array.from({ length: 2_500 }, line).join('');
    return replies.with(
      1,
      Buffer.from(
        Buffer.from(replies[1] as Uint8Array)
          .toString()
          .replace(/0000$/, `${lines}0000`),
      ),
    );
  }

  it('REPO-131: takes over where the remote has cut history off', async () => {
    const [discovery, , pack] = recordedReplies('fetch-shallow', 2) as [Uint8Array, Uint8Array, Uint8Array];
    const importing = new Importing();
    await importing.run({ fetch: answering([discovery, replies[1] as Uint8Array, pack]), depth: 1 });
    expect(await importing.soundRefs()).toEqual({ 'refs/heads/main': refs['refs/heads/main'] });
    expect(importing.state.shallow).toEqual([refs['refs/heads/main']]);
  });

  it('REPO-128: a pack without what a branch needs is refused as a whole', async () => {
    const [discovery, , pack] = recordedReplies('fetch-shallow', 2) as [Uint8Array, Uint8Array, Uint8Array];
    const importing = new Importing();
    const run = importing.run({ fetch: answering([discovery, replies[1] as Uint8Array, pack]) });
    await expect(run).rejects.toMatchObject({ code: 'bad pack' });
    expect(importing.isUntouched).toBe(true);
  });

  it('REPO-130: of the tags, those stay away with one branch whose objects did not come', async () => {
    const importing = new Importing();
    const [discovery, list] = replies as [Uint8Array, Uint8Array];
    const unknown = '0123456789'.repeat(4);
    const line = wireText(`${unknown} refs/tags/other\n`);
    const text = Buffer.from(list).toString().replace(/0000$/, `${line}0000`);
    const fetch = answering([discovery, Buffer.from(text), replies[2] as Uint8Array]);
    await importing.run({ fetch, branch: 'topic' });
    expect(Object.keys(await importing.soundRefs())).toEqual(['refs/heads/topic', 'refs/tags/light', 'refs/tags/v1']);
  });

  it('REPO-130: creates many refs in parts, and adds the pack with the last one', async () => {
    const importing = new Importing();
    const { state } = importing;
    const commits: (readonly [refs: number, packs: number])[] = [];
    const commit = state.commit.bind(state);
    state.commit = (change) => {
      commits.push([change.updates.length, change.addPacks.length]);
      return commit(change);
    };
    await importing.run({ fetch: answering(withMore('refs/heads/many')) });
    expect(commits).toEqual([
      [1_024, 0],
      [1_024, 0],
      [2_504 - 2_048, 1],
    ]);
    // Each line, each verdict, and each pass over all of them: in between, others have their turn.
    expect(importing.counted[cost.steps]).toBeGreaterThan(6 * 2_504);
    expect(Object.keys(await importing.soundRefs())).toHaveLength(2_504);
  });

  it.each([0, 1, 2])('REPO-128: a name that conflicts in part %i of the refs refuses all', async (which) => {
    const importing = new Importing();
    const { state } = importing;
    const commit = state.commit.bind(state);
    let parts = 0;
    state.commit = async (change) => {
      if (parts++ !== which) return await commit(change);
      const other = change.updates.slice(1).map(() => ({ kind: 'held back' as const }));
      const conflict = { kind: 'conflict' as const, with: 'refs/tags/many' as RefName };
      return { kind: 'done', version: 1, updates: [conflict, ...other] };
    };
    const run = importing.run({ fetch: answering(withMore('refs/tags/many')), branch: 'main' });
    await expect(run).rejects.toMatchObject({ code: 'bad pack' });
    expect([parts, state.packs.length]).toEqual([which + 1, 0]);
  });

  it('REPO-128: stops between two parts of its refs when it is no longer wanted', async () => {
    // So small that the pack does not stay in memory.
    const importing = new Importing(64);
    const { state } = importing;
    const commit = state.commit.bind(state);
    const stop = new AbortController();
    let parts = 0;
    state.commit = (change) => {
      parts++;
      stop.abort();
      return commit(change);
    };
    const fetch = answering(withMore('refs/tags/many'));
    await expect(importing.run({ fetch, signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect([parts, state.packs.length, importing.packs.files.size]).toEqual([1, 0, 0]);
  });

  it.each([
    ['repoStorageMax', 2_000, 'too large'],
    ['repoStorageMax', 4_000, 'imported'],
    ['blobMax', 1, 'too large'],
    ['objectMax', 20, 'too large'],
    ['commitMax', 100, 'too large'],
    ['commitParentsMax', 0, 'too large'],
    ['inflatedMax', 100, 'imported'],
    ['chainMax', 20, 'too large'],
    ['graphMax', 1, 'imported'],
    ['memoryMax', 500, 'too large'],
  ] as const)('REPO-128, LIM-050, LIM-051: %s of %i: %s', async (limit, value, outcome) => {
    const importing = new Importing();
    const run = importing.run({ fetch: answering(replies), [limit]: value });
    if (outcome === 'imported') await run;
    else await expect(run).rejects.toMatchObject({ code: outcome });
    expect(importing.isUntouched).toBe(outcome !== 'imported');
  });

  it.each(['refs/heads/main', 'shallow'])(
    'LIM-059: what a remote lists of %s may take no more than a request',
    async (kind) => {
      const [discovery, list, pack] = replies as [Uint8Array, Uint8Array, Uint8Array];
      const oids = Array.from({ length: 1_000 }, (_, i) => i.toString(16).padStart(40, '0'));
      const isRef = kind !== 'shallow';
      const lines = oids.map((oid, i) => wireText(isRef ? `${oid} ${kind}-${i}\n` : `shallow ${oid}\n`)).join('');
      const text = isRef ? `${lines}0000` : `${wireText('shallow-info\n')}${lines}0001`;
      const sent = Buffer.from(text);
      const fetch = answering([discovery, isRef ? sent : list, isRef ? pack : Buffer.concat([sent, pack])]);
      const importing = new Importing();
      const run = importing.run({ fetch, depth: isRef ? undefined : 1, memoryMax: 100_000 });
      await expect(run).rejects.toMatchObject({
        code: 'too large',
        message: expect.stringContaining('there is no memory'),
      });
      expect(importing.isUntouched).toBe(true);
    },
  );

  it('LIM-012: what the account may still store is a limit, too', async () => {
    const importing = new Importing();
    const run = importing.run({ fetch: answering(replies), accountStorageLeft: async () => 900 });
    await expect(run).rejects.toMatchObject({ code: 'too large' });
  });

  it('GIT-129: leaves refs out that are hidden here', async () => {
    const importing = new Importing();
    await importing.run({ fetch: answering(replies), hiddenRefs: ['refs/tags', 'refs/heads/topic'] });
    expect(Object.keys(await importing.soundRefs())).toEqual(['refs/heads/main']);
  });

  it('REPO-119: is cancelled at any step, and leaves nothing', async () => {
    for (let step = 0; step <= replies.length; step++) {
      const controller = new AbortController();
      const importing = new Importing();
      const answer = answering(replies);
      let asked = 0;
      const run = importing.run({
        signal: controller.signal,
        async fetch(request) {
          if (asked++ === step) controller.abort();
          return answer(request);
        },
        now: () => {
          if (step === replies.length) controller.abort();
          return 0;
        },
      });
      await expect(run).rejects.toMatchObject({ code: 'cancelled' });
      expect(importing.isUntouched).toBe(true);
    }
  });

  it('REPO-128: gives up on a remote that says nothing, at any step', async () => {
    for (let step = 0; step < replies.length; step++) {
      for (const isBody of [false, true]) {
        const answer = answering(replies);
        let asked = 0;
        const importing = new Importing();
        const aborted: boolean[] = [];
        const run = importing.run({
          time: { idle: 20, total: 20_000 },
          async fetch(request) {
            if (asked++ !== step) return answer(request);
            request.signal.addEventListener('abort', () => aborted.push(true));
            if (!isBody) return new Promise(() => {});
            const { headers } = await answer(request);
            const start = replies[step]?.slice(0, 6) ?? new Uint8Array(0);
            return new Response(new ReadableStream({ start: (controller) => controller.enqueue(start) }), { headers });
          },
        });
        await expect(run).rejects.toMatchObject({ code: 'stalled' });
        expect(aborted).toEqual([true]);
        expect(importing.isUntouched).toBe(true);
      }
    }
  });

  it('LIM-014: gives up on a remote that only keeps the connection alive', async () => {
    const importing = new Importing();
    const answer = answering(replies);
    let asked = 0;
    const run = importing.run({
      time: { idle: 20_000, total: 300 },
      async fetch(request) {
        const reply = await answer(request);
        if (asked++ < 2) return reply;
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(wireText('packfile\n'))),
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            controller.enqueue(keepAlivePacket());
          },
        });
        return new Response(body, { headers: reply.headers });
      },
    });
    await expect(run).rejects.toMatchObject({ code: 'timed out' });
    expect(importing.isUntouched).toBe(true);
  });
});
