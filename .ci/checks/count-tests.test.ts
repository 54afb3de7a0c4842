import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'packhouse-count-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const count = (report: unknown, status: string): string => {
  const file = join(folder, 'report.json');
  if (report === undefined) rmSync(file, { force: true });
  else writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  const script = join(import.meta.dirname, '..', 'count-tests.mjs');
  return execFileSync(process.execPath, [script, file, status], { encoding: 'utf8' }).trim();
};

const report = (passed: number, failed: number, testResults: unknown[] = []): unknown => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults,
});

describe('the numbers that .ci/run prints', () => {
  it('are those of the report', () => {
    expect(count(report(7, 0), '0')).toBe('7 0');
    const failed = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
    expect(count(report(7, 1, [failed]), '1')).toBe('7 1');
  });

  it('count a file that did not load', () => {
    expect(count(report(7, 0, [{ status: 'failed', assertionResults: [] }]), '1')).toBe('7 1');
  });

  it('count a bad end that no test explains', () => {
    expect(count(report(7, 0), '1')).toBe('7 1');
    expect(count(report(0, 0), '0')).toBe('0 1');
    expect(count(undefined, '139')).toBe('0 1');
    expect(count('{"numPassed', '1')).toBe('0 1');
  });
});
