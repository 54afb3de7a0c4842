import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ran } from './in-process.ts';
import { denoArguments } from '../../src/runtimes/deno-arguments.ts';
import { findProgram } from '../../src/runtimes/find-program.ts';

const bun = { name: 'bun', inPackage: 'nowhere', tellPath: ['tell'] } as const;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-start-in-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

describe('findProgram', () => {
  it('finds the program itself on PATH', () => {
    const file = program('bun', '\x7fELF');
    expect(findProgram(bun, { PATH: ['/nowhere', folder].join(delimiter) })).toBe(file);
  });

  it('asks a script for the program that it starts, and never returns the script', () => {
    const real = program('real', '\x7fELF');
    program('bun', `#!/bin/sh\n[ "$1" = tell ] && echo '${real}'\n`);
    expect(findProgram(bun, { PATH: folder })).toBe(real);
    program('bun', `#!/bin/sh\necho '${join(folder, 'bun')}'\n`);
    expect(findProgram(bun, { PATH: folder })).toBeUndefined();
    program('bun', '#!/bin/sh\nexit 1\n');
    expect(findProgram(bun, { PATH: folder })).toBeUndefined();
  });

  it('finds it in the npm package of its name', () => {
    expect(findProgram({ ...bun, inPackage: 'bin/bun.exe' }, { PATH: folder })).toMatch(/\/bun\/bin\/bun\.exe$/);
    expect(findProgram(bun, {})).toBeUndefined();
  });
});

describe('denoArguments', () => {
  it('allow the network, the data folder, the named files and the size of memory, and nothing else', () => {
    const places = { data: '/srv/a b', files: ['/etc/config.json'] };
    expect(denoArguments(places).filter((one) => one.startsWith('--allow'))).toEqual([
      '--allow-net',
      '--allow-read=/srv/a b,/etc/config.json',
      '--allow-write=/srv/a b',
      '--allow-sys=systemMemoryInfo',
      '--allow-env=PACKHOUSE_API_TOKEN,INIT_CWD,npm_lifecycle_event,FORCE_COLOR,NO_COLOR,TERM',
    ]);
  });

  it('REPO-336: also allow a folder of shared packs, and the variables of a shared storage', () => {
    const places = { data: '/srv/git', files: [], shared: { folder: '/mnt/packs' } };
    const args = denoArguments(places);
    expect(args).toEqual(
      expect.arrayContaining(['--allow-read=/srv/git,/mnt/packs', '--allow-write=/srv/git,/mnt/packs']),
    );
    expect(args.at(-1)).toMatch(/^--allow-env=PACKHOUSE_API_TOKEN,.*,DATABASE_URL,AWS_ACCESS_KEY_ID,.*,PG\*,/);
  });

  it('refuse a path with a comma, which would allow further paths', () => {
    const places = { data: '/srv/git', files: ['/etc/config.json'] };
    for (const wrong of [{ data: '/srv/a,/etc' }, { files: ['/etc/a,b'] }])
      expect(() => denoArguments({ ...places, ...wrong })).toThrow('for its comma');
  });
});

describe('serve --runtime', () => {
  it('says how to start it where this process cannot be replaced, and creates nothing', async () => {
    const data = join(folder, 'data');
    program('bun', '\x7fELF');
    const { code, err } = await ran(['serve', '--runtime', 'bun', '--data', data], { env: { PATH: folder } });
    expect(code).toBe(6);
    expect(err).toMatch(
      /^error: This process cannot start bun in its place\.\nhint: Start it yourself: bun .*main\.ts serve --runtime bun --data /,
    );
    expect(readdirSync(folder)).toEqual(['bun']);
  });

  it('refuses an unknown runtime', async () => {
    const { code, err } = await ran(['serve', '--runtime', 'perl']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error: --runtime cannot be "perl".\nhint: It is one of: node, workerd, deno, bun.\n',
    });
  });
});
