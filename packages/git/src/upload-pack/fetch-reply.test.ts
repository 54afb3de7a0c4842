import { afterEach, expect, it, vi } from 'vitest';
import { StorageError } from '../ports/pack-store.ts';
import { RepoGoneError } from '../ports/repo-state.ts';
import { Handover, type ReplyPiece } from '../reply/reply-stream.ts';
import { fetchReply } from './fetch-reply.ts';
import type { FetchService } from './fetch-service.ts';

afterEach(() => void vi.unstubAllGlobals());

const missing = new StorageError('no such file');

async function* broken(): AsyncGenerator<ReplyPiece, void, undefined> {
  yield Uint8Array.of(1);
  throw missing;
}

async function* brokenPipe(): AsyncGenerator<ReplyPiece, void, undefined> {
  yield { pipeTo: () => Promise.reject(missing) };
}

/** Reads a reply of these pieces, while the state of the repository answers so. Returns the reported failures. */
async function failures(
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  snapshot: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const failed = vi.fn();
  const release = vi.fn();
  const service = { repository: { state: { snapshot } }, options: { failed }, memory: { release }, lease: { release } };
  const { body } = fetchReply(
    service as unknown as FetchService,
    { sideBand: 'side-band-64k', keepAliveBand: 2 },
    { head: new Uint8Array(0), pieces, handover: new Handover(), kind: 'clone' },
  );
  expect(await new Response(body as BodyInit).text()).toContain('An internal error occurred.');
  expect(release).toHaveBeenCalled();
  return failed.mock.calls.map(([error]) => error);
}

it.each([
  ['', broken],
  [' and is piped', brokenPipe],
])(
  'GIT-158: a pack that breaks off%s is no fault of the server only if its repository was deleted',
  async (_, pieces) => {
    if (pieces === brokenPipe) vi.stubGlobal('IdentityTransformStream', TransformStream);
    expect(await failures(pieces(), () => Promise.reject(new RepoGoneError()))).toEqual([]);
    expect(await failures(pieces(), () => Promise.reject(new Error('busy')))).toEqual([missing]);
    expect(await failures(pieces(), async () => ({}))).toEqual([missing]);
  },
);
