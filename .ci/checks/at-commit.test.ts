import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Returns the files of a suite in a process with these variables. */
function filesOf(suite: string, variables: Readonly<Record<string, string>>): readonly string[] | null {
  const code = `import { atCommit } from './.ci/at-commit.ts';
    console.log(JSON.stringify(atCommit(new RegExp(process.argv[1])) ?? null));`;
  const { PACKHOUSE_RUNS: _, PACKHOUSE_SAMPLE: __, ...env } = process.env;
  const options = {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...env, ...variables },
    encoding: 'utf8',
  } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code, suite], options));
}

it('three turns have all files, each of them a third, and the conformance suite always', () => {
  const suite = '\\.runtimes\\.test\\.ts$';
  const parts = ['0', 'a1', 'ffffffb2'].map((sample) =>
    filesOf(suite, { PACKHOUSE_RUNS: 'commit', PACKHOUSE_SAMPLE: sample }),
  );
  const all = new Set(parts.flat());
  expect(all.size).toBeGreaterThan(60);
  for (const part of parts) {
    expect(new Set(part).size).toBe(part?.length);
    expect(part?.length).toBeLessThan(all.size / 2);
    expect(part).toContain('packages/cli/test/conformance/deno.runtimes.test.ts');
  }
});

it('elsewhere all files of a suite run', () => {
  for (const runs of [{}, { PACKHOUSE_RUNS: 'all' }]) expect(filesOf('\\.long\\.test\\.ts$', runs)).toBeNull();
});
