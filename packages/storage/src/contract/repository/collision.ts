import type { Codec, GitRepository, RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeCommit, madeFile, madePush } from './made-history.ts';
import { pushed } from './pushed.ts';

/** What one test works on: a repository with nothing in it. */
export interface CollisionFixture {
  readonly repository: GitRepository;
  close(): void | Promise<void>;
}

const main = 'refs/heads/main';
const first = madeCommit('first');
const next = madeCommit('next', first);
const [one, other] = [madeFile('first'), madeFile('other')];
const honest = nodeCodec();
/** No two small objects of one id are known, so the digest is made weak: the two files have the same. */
const weak: Codec = {
  ...honest,
  sha1Of(...parts) {
    const text = parts.map((part) => new TextDecoder('latin1').decode(part)).join('');
    return text === `blob ${other.body.length}\0other\n` ? honest.sha1Of(...headed(one.body)) : honest.sha1Of(...parts);
  },
};

/** What the engine makes of two objects of one id (GIT-147), over the adapters of one runtime. */
export function testCollision(adapter: string, make: () => CollisionFixture | Promise<CollisionFixture>): void {
  describe(`a collision of ids: ${adapter}`, () => {
    let fixture: CollisionFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());

    it('GIT-147: an object of an id that is there must have its content, and nothing is kept of one that has not', async () => {
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
