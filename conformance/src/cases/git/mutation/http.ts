/** Requests with random changes of encoding, media type and chunks. */

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { TestRepo } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { changed, changes } from './byte-changes.ts';
import { bodyOf, expectRefsAsToldBy, fetches, pushes, repoToChange, type Fetch, type Push } from './requests.ts';

const encodings = ['gzip', 'x-gzip', 'GZIP', 'identity', 'deflate', 'br', 'gzip, gzip', ''];
const statuses = [200, 400, 411, 413, 415];
const services = ['git-receive-pack', 'git-upload-pack'] as const;

/** Posts the parts of a body, one chunk each. Returns the status. */
async function postPieces(
  repo: TestRepo,
  service: string,
  headers: Readonly<Record<string, string>>,
  pieces: readonly Buffer[],
): Promise<number | undefined> {
  const left = pieces.filter(({ length }) => length > 0);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(Uint8Array.from(piece));
    },
  });
  const init = { method: 'POST', headers: { authorization: `Bearer ${repo.token}`, ...headers }, body, duplex: 'half' };
  try {
    const response = await repo.fetch(`${repo.remote}/${service}`, init as RequestInit);
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    // A service may refuse early and close the connection. A client that is still sending never reads the refusal.
    if (isCutWhileSending(error)) return undefined;
    throw error;
  }
}

function isCutWhileSending(error: unknown): boolean {
  const { code } = ((error as { readonly cause?: unknown } | null)?.cause ?? {}) as { readonly code?: unknown };
  return code === 'EPIPE' || code === 'ECONNRESET';
}

export const gitMutationHttp: Suite = suite({
  id: 'git/mutation/http',
  requirements: ['GIT-010', 'GIT-011', 'GIT-016'],
  level: 'MUST',
  explanation: 'Whatever the encoding, the media type and the pieces, a request is answered and moves no ref wrongly.',
  async run(t) {
    const repo = await repoToChange(t);
    const property = fc.asyncProperty(
      fc.record({
        service: fc.constantFrom(...services),
        number: fc.nat(),
        encoding: fc.constantFrom(...encodings),
        isZipped: fc.boolean(),
        steps: fc.option(changes, { nil: [] }),
        sizes: fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 5 }),
        suffix: fc.constantFrom('', '; charset=utf-8', 'x'),
      }),
      async ({ service, number, encoding, isZipped, steps, sizes, suffix }) => {
        const plain =
          service === 'git-receive-pack'
            ? bodyOf(pushes[number % pushes.length] as Push)
            : (fetches[number % fetches.length] as Fetch).body;
        const zipped = gzipSync(plain);
        const body = changed(isZipped ? zipped : plain, steps, [zipped, plain]);
        let at = 0;
        const pieces = sizes.map((size) => body.subarray(at, (at += size)));
        const headers = {
          'content-type': `application/x-${service}-request${suffix}`,
          ...(encoding === '' ? {} : { 'content-encoding': encoding }),
        };
        const status = await postPieces(repo, service, headers, [...pieces, body.subarray(at)]);
        assert(status === undefined || statuses.includes(status), `The request is answered, and not by ${status}.`);
        await expectRefsAsToldBy(repo, Buffer.concat([plain, body]));
      },
    );
    await holds(t, 25, property);
  },
});
