import { createGitEngine, type GitRepository } from '../engine/engine.ts';
import { receivePack } from '../receive-pack/receive-pack.ts';
import type { Codec } from '../ports/codec.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import { nodeCodec } from '../codec/node.ts';
import { expect } from 'vitest';

/** Pushes with a new engine without caches. Returns the lines of the report. */
export async function pushed(
  repository: GitRepository,
  body: Uint8Array,
  { acceptShallow, codec = nodeCodec() }: { readonly acceptShallow?: boolean | undefined; readonly codec?: Codec } = {},
): Promise<string[]> {
  const failures: unknown[] = [];
  const snapshot = (await repository.state.snapshot()) as RepoSnapshot;
  const reply = await receivePack(createGitEngine({ codec }), repository, snapshot, once(body), {
    acceptShallow,
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 1_000_000,
    objectMax: 1_000_000,
    memoryMax: 67_108_864,
    chainDepthMax: 50,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1_000_000_000,
    accountStorageLeft: async () => 1_000_000_000,
    pushId: crypto.randomUUID(),
    now: () => Date.now(),
    bodyMax: 1_000_000,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: (error) => failures.push(error),
  });
  const report = linesOf(new Uint8Array(await new Response(reply as BodyInit).arrayBuffer()));
  expect(failures).toEqual([]);
  return report.slice(0, -1);
}

/** Splits packets into text without the LF; `flush` and `delim` stand for themselves. */
export function linesOf(bytes: Uint8Array): string[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = Number.parseInt(text.slice(at, at + 4), 16);
    lines.push(length < 4 ? (length === 0 ? 'flush' : 'delim') : text.slice(at + 4, at + length).replace(/\n$/, ''));
    at += Math.max(length, 4);
  }
  return lines;
}

/** Yields a body in one chunk. */
export async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield body;
}
