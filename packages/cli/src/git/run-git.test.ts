import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '@packhouse/command';
import { lastWords, runGit } from './run-git.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-git-'));
  execFileSync('git', ['init', '-q', '--bare', folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('runGit', () => {
  it('relays the progress of git, and omits it from the last lines', async () => {
    const texts: string[] = [];
    const progress = { isShown: true, show: (text: string) => void texts.push(text), end: () => undefined };
    const io = { cwd: folder, onSignal: () => () => undefined } as unknown as Io;
    const ended = await runGit(io, ['fsck', '--progress'], { progress });
    expect(ended.code).toBe(0);
    expect(ended.err).toContain('Checking object directories: 100% (256/256), done.\n');
    expect(texts.at(-1)).toMatch(/^Checking object directories: 100% \(256\/256\)/);
    for (const text of texts) expect(text).not.toMatch(/[\r\n]/);
    expect(lastWords(ended)).not.toContain('Checking');
  });
});

describe('lastWords', () => {
  it.each([
    ['Enumerating objects: 5, done.\nfatal: no\n', '  fatal: no'],
    ['Receiving objects:  45% (9/20)\rReceiving objects:  50% (10/20)\rfatal: early EOF\n', '  fatal: early EOF'],
    ['remote: Counting objects: 100% (2/2), done.\nremote: refused\n', '  remote: refused'],
    ['error: one\nhint: 2 things are done.\n', '  error: one\n  hint: 2 things are done.'],
  ])('of %j omit progress', (err, words) => {
    expect(lastWords({ code: 1, out: '', err })).toBe(words);
  });
});
