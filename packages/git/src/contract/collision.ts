import type { Codec } from '../ports/codec.ts';
import type { GitRepository } from '../engine/engine.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import { nodeCodec } from '../codec/node.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeCommit, madeFile, madePush } from './made-history.ts';
import { pushed } from './pushed.ts';

/** An empty repository for one test. */
export interface CollisionFixture {
  readonly repository: GitRepository;
  close(): void | Promise<void>;
}

const main = 'refs/heads/main';
const first = madeCommit('first');
const next = madeCommit('next', first);
const [one, other] = [madeFile('first'), madeFile('other')];
const honest = nodeCodec();
/** No two small objects with the same id are known, so this weak digest makes two files collide. */
const weak: Codec = {
  ...honest,
  sha1Of(...parts) {
    const text = parts.map((part) => new TextDecoder('latin1').decode(part)).join('');
    return text === `blob ${other.body.length}\0other\n` ? honest.sha1Of(...headed(one.body)) : honest.sha1Of(...parts);
  },
};

/** Tests two objects with the same id (GIT-147) in the engine, over the adapters of one runtime. */
export function testCollision(adapter: string, make: () => CollisionFixture | Promise<CollisionFixture>): void {
  describe(`a collision of ids: ${adapter}`, () => {
    let fixture: CollisionFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());

    it('GIT-147: rejects an object with an existing id and other content, and keeps nothing of it', async () => {
      const push = (body: Uint8Array): Promise<string[]> => pushed(fixture.repository, body, { codec: weak });
      const snapshot = async (): Promise<RepoSnapshot> => (await fixture.repository.state.snapshot()) as RepoSnapshot;
      expect(await push(madePush([[null, first, main]], first.all))).toEqual(['unpack ok', `ok ${main}`]);
      const before = await snapshot();
      const again = (file: typeof one): Uint8Array => madePush([[first, next, main]], [...next.all, file]);
      expect(await push(again(other))).toEqual([`unpack object collision ${one.oid}`, `ng ${main} unpacker error`]);
      expect(await snapshot()).toEqual(before);
      expect(await push(again(one))).toEqual(['unpack ok', `ok ${main}`]);
    });
  });
}

function headed(body: Uint8Array): [Uint8Array, Uint8Array] {
  return [new TextEncoder().encode(`blob ${body.length}\0`), body];
}
