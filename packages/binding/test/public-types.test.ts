import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Returns the compiler's messages for a project; empty if it compiles. */
async function compile(project: string): Promise<string> {
  const path = fileURLToPath(new URL(`public-types/${project}`, import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [compiler, '--project', path]);
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    return `${stdout ?? ''}${stderr ?? ''}` || String(error);
  }
}

describe('the types of the binding', () => {
  it.each(['tsconfig.json', 'tsconfig.oldest.json'])(
    'BIND-010, BIND-011, BIND-012: equal those of the public types package, and are assignable to them: %s',
    async (project) => {
      expect(await compile(project)).toBe('');
    },
  );

  it('BIND-012, BIND-103: need no types package, and no newer library', async () => {
    expect(await compile('tsconfig.alone.json')).toBe('');
  });
});
