import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'packhouse-count-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the lines that the script prints. */
const lines = (report: unknown, status: string): string[] => {
  const file = join(folder, 'report.json');
  if (report === undefined) rmSync(file, { force: true });
  else writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  const script = join(import.meta.dirname, '..', 'count-tests.mjs');
  return execFileSync(process.execPath, [script, file, status], { encoding: 'utf8' }).trim().split('\n');
};

const count = (report: unknown, status: string): string | undefined => lines(report, status)[0];

const report = (passed: number, failed: number, testResults: unknown[] = []): unknown => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults,
});

describe('the numbers that .ci/run prints', () => {
  it('match the report', () => {
    expect(count(report(7, 0), '0')).toBe('7 0');
    const failed = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
    expect(count(report(7, 1, [failed]), '1')).toBe('7 1');
  });

  it('are followed by the name and the first words of each failure', () => {
    const test = { status: 'failed', fullName: 'a push is kept', failureMessages: ['Error: lost\n  at push', 'more'] };
    const file = { name: join(process.cwd(), 'packages/a.test.ts'), status: 'failed', assertionResults: [test] };
    expect(lines(report(7, 1, [file]), '1').slice(1)).toEqual([
      'packages/a.test.ts: a push is kept: Error: lost at push',
    ]);
  });

  it('say what broke a property, after its input', () => {
    const message = `ConformanceError: ${'a'.repeat(100)}\nfail: Property failed\n${'i'.repeat(300)}\nbecause: 500`;
    const test = { status: 'failed', fullName: 'n'.repeat(100), failureMessages: [message] };
    const file = { name: join(process.cwd(), 'packages/a.test.ts'), status: 'failed', assertionResults: [test] };
    expect(lines(report(7, 1, [file]), '1')[1]).toMatch(/because: 500$/);
  });

  it('count a file that did not load', () => {
    expect(count(report(7, 0, [{ status: 'failed', assertionResults: [] }]), '1')).toBe('7 1');
  });

  it('count a failed run that no test explains', () => {
    expect(count(report(7, 0), '1')).toBe('7 1');
    expect(count(report(0, 0), '0')).toBe('0 1');
    expect(count(undefined, '139')).toBe('0 1');
    expect(count('{"numPassed', '1')).toBe('0 1');
  });
});
