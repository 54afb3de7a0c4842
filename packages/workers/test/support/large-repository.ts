import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gitEnvironment } from '@packhouse/fixtures';
import { git } from './git.ts';

const areas = 16;
const parts = 16;
const files = 6;
/** Bytes of a file. */
const fileSize = 5_400;
const firstSecond = 1_700_000_000;

/** A bare repository; by default with more than 130,000 objects in more than 75 MB. */
export async function largeRepository(commits = 26_500): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-large-'));
  await git(['init', '-q', '--bare', '-b', 'main', folder]);
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', ['fast-import', '--quiet'], {
      cwd: folder,
      env: gitEnvironment,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`git fast-import: ${status}`))));
    Readable.from(history(commits), { objectMode: true }).pipe(child.stdin);
  });
  return folder;
}

/**
 * One commit a time to a file in one of 256 folders: a new content, and a change of it in the next commit, which is when
 * `git fast-import` makes a delta of it. The tag `middle` stands half way.
 */
function* history(commits: number): Generator<Buffer> {
  const random = randomWords(2026);
  let path = '';
  let content = Buffer.alloc(0);
  for (let number = 0; number < commits; number++) {
    if (number % 2 === 0) {
      const place = random() % (areas * parts * files);
      path = `area-${place % areas}/part-${Math.floor(place / areas) % parts}/file-${Math.floor(place / areas / parts)}.bin`;
      content = Buffer.alloc(fileSize);
      for (let at = 0; at + 4 <= fileSize; at += 4) content.writeUInt32LE(random(), at);
    } else {
      content = Buffer.from(content);
      content.writeUInt32LE(random(), random() % (fileSize - 4));
    }
    const person = `A <a@example.com> ${firstSecond + number} +0000`;
    const message = `Change ${path}\n`;
    yield Buffer.concat([
      Buffer.from(
        `commit refs/heads/main\nmark :${number + 1}\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n${message}` +
          `M 100644 inline ${path}\ndata ${fileSize}\n`,
      ),
      content,
      Buffer.from('\n'),
    ]);
    if (number === commits / 2) yield Buffer.from(`reset refs/tags/middle\nfrom :${number + 1}\n\n`);
  }
}

/** The same numbers of 32 bits on every machine (xorshift). */
function randomWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
