import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unpackResult } from './unpack-results.ts';

const specification = readFileSync(new URL('../../../../../docs/specification/git.md', import.meta.url), 'utf8');
const textsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => String(text));

it('a changed push may be refused for each failed check of section 9', () => {
  const rows = [...specification.matchAll(/^\| GIT-14\d \| MUST \| .* \| (.*) \|$/gm)];
  const reasons = rows.flatMap(([, cell]) => textsIn(String(cell))).filter((text) => !/^(ng|unpack) /.test(text));
  expect(reasons).toHaveLength(10);
  for (const reason of reasons) {
    expect(reason.replace('<n>', '12').replace('<oid>', '0f'.repeat(20))).toMatch(unpackResult);
  }
});

it('a changed push may be refused for each limit of section 12, with its details', () => {
  const reports = [...specification.matchAll(/^\| LIM-0\d\d \| .*\breport (`[^`]+`(?: or `[^`]+`)?)/gm)];
  const reasons = reports.flatMap(([, texts]) => textsIn(String(texts)));
  expect(reasons).toHaveLength(13);
  for (const reason of reasons) {
    expect(reason).toMatch(unpackResult);
    expect(`${reason}: 2931640812 bytes, limit 1048576 (commit_max)`).toMatch(unpackResult);
  }
});

it.each(['internal error', 'disk full', 'too many open files', 'storage is gone', 'okay', 'file too largest'])(
  'a changed push must not cause %s',
  (failure) => expect(failure).not.toMatch(unpackResult),
);
