import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { apiTokenForm, keptApiToken } from './api-token.ts';
import { openDataFolder } from './data-folder.ts';

let root: string;
let holders: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-folder-'));
});

afterEach(() => {
  for (const child of holders) child.kill('SIGKILL');
  holders = [];
  rmSync(root, { recursive: true, force: true });
});

function refusal(open: () => unknown): StartError {
  try {
    open();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('accepted');
}

/** Starts a process that opens the folder, keeps no reference to the result, and holds the folder until it dies. */
async function holder(folder: string): Promise<ChildProcess> {
  const program = `import { openDataFolder } from ${JSON.stringify(new URL('data-folder.ts', import.meta.url).href)};
    openDataFolder(${JSON.stringify(folder)}); gc(); process.stdout.write('held'); setInterval(() => {}, 1e6);`;
  const command =
    'Deno' in globalThis
      ? ['eval', '--v8-flags=--expose-gc', program]
      : ['--expose-gc', '--input-type=module-typescript', '-e', program];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(child);
  await once(child.stdout, 'data');
  return child;
}

describe('openDataFolder', () => {
  it('makes the folder and its parents, for its owner alone', () => {
    const folder = openDataFolder(join(root, 'a', 'b'));
    expect(folder).toMatchObject({ path: join(root, 'a', 'b'), created: true });
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    folder.release();
    folder.release();
    const again = openDataFolder(folder.path);
    expect(again.created).toBe(false);
    again.release();
  });

  it('keeps its files to their owner in a folder that others may read', () => {
    chmodSync(root, 0o755);
    const folder = openDataFolder(root);
    for (const name of readdirSync(root)) expect([name, statSync(join(root, name)).mode & 0o077]).toEqual([name, 0]);
    expect(readdirSync(root)).toContain('lock.db');
    folder.release();
  });

  it('names its process in a file that goes with the release', () => {
    const note = join(root, 'holder.json');
    const folder = openDataFolder(root);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ pid: process.pid });
    folder.release();
    expect(existsSync(note)).toBe(false);
    const next = openDataFolder(root);
    folder.release();
    expect(existsSync(note)).toBe(true);
    next.release();
  });

  it('refuses a file, a path through a file, and a missing folder that it may not make', () => {
    const file = join(root, 'file');
    writeFileSync(file, 'x');
    expect(refusal(() => openDataFolder(file))).toMatchObject({
      kind: 'data folder',
      message: `The data folder ${file} is a file.`,
    });
    expect(refusal(() => openDataFolder(join(file, 'below'))).message).toBe(
      `The data folder ${join(file, 'below')} cannot be made: a part of its path is a file.`,
    );
    expect(refusal(() => openDataFolder(join(root, 'none'), { create: false })).message).toBe(
      `The data folder ${join(root, 'none')} does not exist.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('x');
  });

  it('refuses a folder of something else, and leaves it as it is', () => {
    writeFileSync(join(root, 'notes.txt'), 'x');
    expect(refusal(() => openDataFolder(root))).toMatchObject({
      kind: 'data folder',
      message: `The folder ${root} holds other things than a server's data, such as "notes.txt".`,
    });
    expect(readdirSync(root)).toEqual(['notes.txt']);
  });

  it('takes a folder that holds nothing but a token that was put there', () => {
    writeFileSync(join(root, 'api-token'), 'x'.repeat(20));
    openDataFolder(root).release();
    openDataFolder(root).release();
  });

  it('refuses a folder that another opening in this process holds', () => {
    const folder = openDataFolder(root);
    expect(refusal(() => openDataFolder(root))).toMatchObject({
      kind: 'data folder in use',
      message: `The data folder ${root} is in use by process ${process.pid}.`,
    });
    folder.release();
    openDataFolder(root).release();
  });

  it('refuses a folder that another process holds, names it, and takes it once that was killed', async () => {
    const child = await holder(root);
    const error = refusal(() => openDataFolder(root));
    expect(error).toMatchObject({
      kind: 'data folder in use',
      message: `The data folder ${root} is in use by process ${child.pid}.`,
    });
    expect(error.hint).not.toBe('');
    child.kill('SIGKILL');
    await once(child, 'exit');
    openDataFolder(root).release();
  });
});

describe('keptApiToken', () => {
  it('makes a token once, readable by its owner alone', () => {
    const made = keptApiToken(root);
    expect(made).toMatchObject({ file: join(root, 'api-token'), created: true });
    expect(made.token).toMatch(apiTokenForm);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(keptApiToken(root)).toEqual({ ...made, created: false });
  });

  it('makes it atomically: replaces the unfinished file of an interrupted start', () => {
    writeFileSync(join(root, 'api-token.new'), 'ph_0123', { mode: 0o644 });
    const made = keptApiToken(root);
    expect([made.created, readFileSync(made.file, 'utf8')]).toEqual([true, `${made.token}\n`]);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(['api-token']);
  });

  it('closes a file that others may read', () => {
    const { file } = keptApiToken(root);
    chmodSync(file, 0o644);
    keptApiToken(root);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('refuses a file without a token rather than serve with an empty one', () => {
    for (const [text, says] of [
      ['', 'is empty'],
      ['\n', 'is empty'],
      ['short', 'holds no API token'],
    ] as const) {
      writeFileSync(join(root, 'api-token'), text);
      expect(refusal(() => keptApiToken(root))).toMatchObject({
        kind: 'data folder',
        message: `The file ${join(root, 'api-token')} ${says}.`,
        hint: expect.stringContaining('Remove it to have a new one made'),
      });
    }
  });
});
