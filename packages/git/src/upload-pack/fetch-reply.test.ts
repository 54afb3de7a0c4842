import { StorageUnavailable } from '@packhouse/base';
import { afterEach, expect, it, vi } from 'vitest';
import { StorageError } from '../ports/pack-store.ts';
import { RepoGoneError } from '../ports/repo-state.ts';
import { StorageGoneError } from '../ports/storage-trouble.ts';
import { Handover, type ReplyPiece } from '../reply/reply-stream.ts';
import { fetchReply } from './fetch-reply.ts';
import type { FetchService } from './fetch-service.ts';

afterEach(() => void vi.unstubAllGlobals());

const missing = new StorageError('no such file');

async function* broken(by: Error = missing): AsyncGenerator<ReplyPiece, void, undefined> {
  yield Uint8Array.of(1);
  throw by;
}

async function* brokenPipe(): AsyncGenerator<ReplyPiece, void, undefined> {
  yield { pipeTo: () => Promise.reject(missing) };
}

/** Reads a reply of these pieces, while the state of the repository answers so. Returns its text and what it reports. */
async function told(
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  snapshot: () => Promise<unknown>,
): Promise<{ readonly text: string; readonly reported: readonly unknown[] }> {
  const failed = vi.fn();
  const release = vi.fn();
  const service = { repository: { state: { snapshot } }, options: { failed }, memory: { release }, lease: { release } };
  const { body } = fetchReply(
    service as unknown as FetchService,
    { sideBand: 'side-band-64k', keepAliveBand: 2 },
    { head: new Uint8Array(0), pieces, handover: new Handover(), kind: 'clone' },
  );
  const [text] = /[\w ]+\.?\n$/.exec(await new Response(body as BodyInit).text()) ?? [''];
  expect(release).toHaveBeenCalled();
  return { text: text.trim(), reported: failed.mock.calls.map(([error]) => error) };
}

it.each([
  ['', broken],
  [' and is piped', brokenPipe],
])(
  'GIT-158: a pack that breaks off%s is no fault of the server only if its repository was deleted',
  async (_, pieces) => {
    if (pieces === brokenPipe) vi.stubGlobal('IdentityTransformStream', TransformStream);
    const fault = { text: 'An internal error occurred.', reported: [missing] };
    const gone = { text: 'repository deleted', reported: [] };
    expect(await told(pieces(), () => Promise.reject(new RepoGoneError()))).toEqual(gone);
    expect(await told(pieces(), () => Promise.reject(new Error('busy')))).toEqual(fault);
    expect(await told(pieces(), async () => ({}))).toEqual(fault);
  },
);

it.each([
  ['storage is unavailable', new StorageUnavailable('no reply')],
  ['storage is gone', new StorageGoneError()],
  ['disk full', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['too many open files', Object.assign(new Error('open'), { code: 'EMFILE' })],
])('REPO-401: a pack that breaks off ends with the text: %s', async (text, cause) => {
  const error = new StorageError('not read', { cause });
  expect(await told(broken(error), async () => ({}))).toEqual({ text, reported: [error] });
});
