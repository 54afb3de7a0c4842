/** BIND-074: values at the bounds of engine and transport. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, type Suite } from '../../core/case.ts';
import type { SeenBlob } from '../../core/binding.ts';
import { BindingFailure } from '../../binding/failure.ts';
import { blob, commit, tree, type MadeObject } from '../../tools/made-objects.ts';
import { assertRejected, boundRepoWith } from './rejections.ts';

/** The largest blob that a service accepts by default (LIM-051), and the largest that every transport supports. */
const [largest, carried] = [33_554_432, 33_550_336];

function assertWhole(read: SeenBlob | null, { body }: MadeObject, what: string): void {
  const sha256 = createHash('sha256').update(body).digest('hex');
  assert.deepEqual([read?.size, read?.sha256], [body.length, sha256], `${what}: expected all of its bytes`);
}

export const large: Suite = suite({
  id: 'binding/reads/large',
  requirements: ['BIND-074', 'BIND-080', 'BIND-097'],
  level: 'MUST',
  needs: ['binding'],
  explanation: 'A blob that the transport carries is read whole, and a larger one is refused with MEMORY_LIMIT.',
  async run(t) {
    const [big, fits] = [blob(Buffer.alloc(largest, 'b')), blob(Buffer.alloc(carried, 'f'))];
    const root = tree({ big, fits });
    const head = commit('large', root);
    const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': head }, [head, root, big, fits]);
    assertWhole(await repo.readBlob(fits.oid), fits, 'readBlob');
    assertWhole(await repo.readFile({ ref: 'main', path: 'fits' }), fits, 'readFile');
    const whole = await repo.readBlob(big.oid).catch((error: unknown) => {
      if (!(error instanceof BindingFailure)) throw error;
      return null;
    });
    if (whole !== null) {
      assertWhole(whole, big, 'readBlob');
      return t.note(`a blob of ${largest} bytes is carried`);
    }
    await assertRejected(t, repo.readBlob(big.oid), 'MEMORY_LIMIT', 'readBlob');
    await assertRejected(t, repo.readFile({ ref: 'main', path: 'big' }), 'MEMORY_LIMIT', 'readFile');
    t.note(`a blob of ${largest} bytes is refused`);
  },
});
