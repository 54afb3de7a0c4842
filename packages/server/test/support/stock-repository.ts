import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MadeObject, pack } from '@packhouse/conformance/tools/made-objects';
import { git, gitBytes, tryGit } from './git.ts';

/** A bare repository of stock `git` with these objects, refs and shallow commits, which need not be complete. */
export async function stockRepository(
  folder: string,
  objects: Iterable<MadeObject>,
  refs: ReadonlyMap<string, string>,
  shallow: readonly string[] = [],
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  writeShallow(folder, shallow);
  const all = [...objects];
  if (all.length > 0) await gitBytes(['index-pack', '--stdin'], { cwd: folder, input: pack(...all) });
  const lines = [...refs].map(([name, oid]) => `create ${name} ${oid}\n`);
  await git(['update-ref', '--stdin'], { cwd: folder, input: lines.join('') });
  return folder;
}

/** Returns the reply of stock `git upload-pack` to a request of version 0, or its message if it refuses the request. */
export async function stockReply(folder: string, body: Uint8Array): Promise<Buffer | string> {
  const anyId = ['-c', 'uploadpack.allowAnySHA1InWant=true'];
  const { status, stdout, stderr } = await tryGit([...anyId, 'upload-pack', '--stateless-rpc', folder], {
    input: body,
  });
  return status === 0 ? stdout : stderr;
}

/**
 * Receives a thin pack as a client of stock `git`: checks it strictly, and walks all objects that its refs reach down
 * to its boundary.
 *
 * @throws with the message of `git`.
 */
export async function takeAsClient(
  folder: string,
  thin: Buffer,
  refs: ReadonlyMap<string, string>,
  boundary: Iterable<string>,
): Promise<string[]> {
  writeShallow(folder, boundary);
  await git(['index-pack', '--stdin', '--fix-thin', '--strict'], { cwd: folder, input: thin });
  const updates = [...refs].map(([name, oid]) => `update ${name} ${oid}\n`);
  await git(['update-ref', '--stdin'], { cwd: folder, input: updates.join('') });
  await git(['fsck', '--connectivity-only', '--no-dangling'], { cwd: folder });
  const listed = await git(['rev-list', '--objects', '--all', '--no-object-names'], { cwd: folder });
  return listed.split('\n').filter((line) => line !== '');
}

function writeShallow(folder: string, boundary: Iterable<string>): void {
  const lines = [...new Set(boundary)].map((oid) => `${oid}\n`).join('');
  if (lines !== '') writeFileSync(join(folder, 'shallow'), lines);
}
