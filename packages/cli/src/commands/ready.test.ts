import { describe, expect, it } from 'vitest';
import type { Serving } from '@packhouse/server';
import type { Io } from '@packhouse/command';
import { openness, readyText } from './ready.ts';

const server = { url: 'http://127.0.0.1:1', account: 'a1', data: '/d', keptToken: undefined } as unknown as Serving;
const io = { program: 'packhouse', outIsTerminal: false } as unknown as Io;

describe('readyText', () => {
  it('prints commands that reach this server, with its account and dialect', () => {
    const text = readyText(server, io, { dialect: 'cloudflare', listens: undefined, warnings: [] });
    expect(text).toContain('packhouse repo create hello --account a1 --dialect cloudflare\n');
    expect(readyText({ ...server, account: 'local' }, io, { listens: undefined, warnings: [] })).toContain(
      'packhouse repo list\n',
    );
  });

  it('names the database, without its password, and the place of packs that servers share (REPO-336)', () => {
    const shared = { database: 'postgres://u:sesame@db:5/n?sslmode=require', packs: 's3://packs/main' };
    const text = readyText(server, io, { ...shared, listens: undefined, warnings: [] });
    expect(text).toContain('  database  postgres://db:5/n\n  packs     s3://packs/main\n  cache     /d\n');
    expect(text).not.toContain('sesame');
  });

  it('says when the server listens on every address, and what that means', () => {
    const open = openness({ host: '::', secure: false, url: 'http://[::1]:1' });
    const text = readyText(server, io, open);
    expect(text).toContain('listens   on every address of this machine (::)\n');
    expect(text.match(/^ {2}warning {3}/gm)).toHaveLength(2);
  });
});

describe('openness', () => {
  it.each([
    [{ host: '127.0.0.1', secure: false, url: 'http://127.0.0.1:1' }, 0],
    [{ host: '0.0.0.0', secure: true, url: 'https://git.example.com' }, 0],
    [{ host: '0.0.0.0', secure: false, url: 'https://git.example.com' }, 1],
    [{ host: '0.0.0.0', secure: true, url: 'https://127.0.0.1:1' }, 1],
    [{ host: '0.0.0.0', secure: true, url: 'https://x.localhost:1' }, 1],
  ])('%j causes %i warnings', (options, count) => {
    expect(openness(options).warnings).toHaveLength(count);
  });
});
