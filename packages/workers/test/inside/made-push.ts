import { createGitEngine, receivePack, type Codec } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { expect } from 'vitest';
import type { Repo } from './repo.ts';

/** The branch that is pushed. */
export const main = 'refs/heads/main';
const none = '0'.repeat(40);
/** Bytes. Too large for rows. */
const fileSize = 1_600_000;

export const codec: Codec = nodeCodec();
const encoder = new TextEncoder();

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface MadeObject {
  readonly id: Uint8Array;
  readonly entry: Uint8Array;
}

function made(kind: 'commit' | 'tree' | 'blob', content: Uint8Array): MadeObject {
  const number = { commit: 1, tree: 2, blob: 3 }[kind];
  const size = [number * 16 + (content.length % 16)];
  for (let left = Math.floor(content.length / 16); left > 0; left = Math.floor(left / 128)) size.push(left % 128);
  const header = Uint8Array.from(size, (byte, i) => (i < size.length - 1 ? byte + 128 : byte));
  const id = codec.sha1Of(encoder.encode(`${kind} ${content.length}\0`), content);
  return { id, entry: joined(header, codec.deflate(content, 0)) };
}

/** A push of one commit of one new file of random bytes; its new value. */
export function pushOf(parent: string | undefined): { readonly body: Uint8Array; readonly value: string } {
  const bytes = new Uint8Array(fileSize);
  for (let at = 0; at < fileSize; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const file = made('blob', bytes);
  const tree = made('tree', joined(encoder.encode('100644 file\0'), file.id));
  const lines = [`tree ${hex(tree.id)}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  const person = 'A <a@example.com> 1 +0000';
  const text = [...lines, `author ${person}`, `committer ${person}`, '', 'x\n'].join('\n');
  const tip = made('commit', encoder.encode(text));
  const head = Uint8Array.of(0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 3);
  const pack = joined(head, tip.entry, tree.entry, file.entry);
  const value = hex(tip.id);
  const command = `${parent ?? none} ${value} ${main}\0report-status`;
  const packet = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  return { body: joined(encoder.encode(packet), pack, codec.sha1Of(pack)), value };
}

/** Pushes to a repository, and expects that it is taken. */
export async function push({ state, packs }: Repo, body: Uint8Array): Promise<void> {
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    yield body;
  }
  const snapshot = await state.snapshot();
  if (snapshot === undefined) throw new Error('There is no snapshot');
  const options = {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 64_000_000,
    objectMax: 64_000_000,
    memoryMax: 64_000_000,
    chainDepthMax: 50,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1e9,
    accountStorageLeft: async () => 1e9,
    pushId: crypto.randomUUID(),
    now: () => Date.now(),
    bodyMax: 1e9,
    commandsMax: 10,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: () => undefined,
  };
  const engine = createGitEngine({ codec });
  const reply = await receivePack(engine, { state, packs: packs() }, snapshot, whole(), options);
  expect(await new Response(reply as BodyInit).text()).toContain(`ok ${main}`);
}
