import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tellingTable } from './told.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Returns the rows of the table under a heading, without the alignment. */
function rowsOf(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const [table = ''] = /^\| the origin .*\n(?:\|.*\n)*/m.exec(section) ?? [];
  return table
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '))
    .slice(2);
}

it('ERR-132 to ERR-140: the README lists what each runtime reports, as the tests find it', () => {
  expect(rowsOf('Fetching from an origin')).toEqual(
    tellingTable.map(
      ({ failure, node, deno, bun, workerd }) => `| ${failure} | ${node} | ${deno} | ${bun} | ${workerd} |`,
    ),
  );
});
