import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gitRefusals } from './git/git-refusal.ts';
import { repoErrors } from '@packhouse/base';
import { version } from './outbound/version.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const sources = ['./', ...['base', 'router', 'tagging'].map((name) => `../../${name}/src/`)].flatMap((folder) =>
  readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && file !== 'errors.ts')
    .map((file) => read(`${folder}${file}`)),
);

describe('the list of errors', () => {
  it('REPO-160 to REPO-177: has the codes and statuses of the specification, and no other', () => {
    const table = read('../../../docs/specification/repositories.md')
      .split('\n')
      .flatMap((line) => /^\| REPO-\d{3} \| MUST \| ([^|]*\d[^|]*)\| ([\d, ]+) \|/.exec(line)?.slice(1) ?? [])
      .join(' ');
    for (const { code, status } of Object.values(repoErrors))
      expect(table).toMatch(new RegExp(`\\b${code}\\b[\\s\\S]*\\b${status}\\b`));
  });

  it('REPO-298, REPO-299: has the reasons of the specification, each once', () => {
    const rows = [
      ...read('../../../docs/specification/repositories.md').matchAll(
        /^\| (\d+) \| (\d+) \| `(\w+)` \| (yes|no) \|$/gm,
      ),
    ].map(([, code, status, reason, retryable]) => [Number(code), Number(status), reason, retryable === 'yes']);
    const errors = Object.values(repoErrors);
    expect(errors.map(({ code, status, reason, retryable = false }) => [code, status, reason, retryable])).toEqual(
      rows,
    );
    expect(new Set(errors.map(({ reason }) => reason)).size).toBe(errors.length);
  });

  it('REPO-300: each hint is one sentence', () => {
    for (const { hint } of Object.values(repoErrors)) expect(hint).toMatch(/^[A-Z][^\n]{10,160}\.$/);
  });

  it('REPO-048: each message is a text of the specification', () => {
    // LIM-059 has its text there.
    const text = read('../../../docs/specification/repositories.md') + read('../../../docs/specification/git.md');
    const ownText = ['invalidInput'];
    for (const [kind, { message }] of Object.entries(repoErrors))
      if (!ownText.includes(kind)) expect(text).toContain(message);
    for (const { text: message } of Object.values(gitRefusals))
      expect(read('../../../docs/specification/git.md')).toContain(message);
  });

  it('has no error that nothing uses', () => {
    // Which of the three "in progress" errors it is comes from the status of the repo.
    const byStatus = ['creating', 'importing', 'forking'];
    const unused = Object.keys(repoErrors).filter(
      (kind) => !byStatus.includes(kind) && !sources.some((source) => source.includes(`'${kind}'`)),
    );
    expect(unused).toEqual([]);
  });

  it('REPO-022: the version is that of the package', () => {
    expect(version).toBe((JSON.parse(read('../package.json')) as { version: string }).version);
  });
});
