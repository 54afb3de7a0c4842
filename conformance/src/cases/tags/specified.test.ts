import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { accountTypes, parents, zoneTypes } from './support/default-types.ts';
import { refusals } from './support/refusals.ts';

const specification = readFileSync(new URL('../../../../docs/specification/tagging.md', import.meta.url), 'utf8');
const row = (id: string): string => specification.split('\n').find((line) => line.startsWith(`| ${id} |`)) ?? '';
/** Returns the texts in backquotes before the number of types. */
const typesIn = (id: string): readonly string[] =>
  [...(row(id).split(/\(\d+\)/)[0] ?? '').matchAll(/`([a-z0-9_]+)`/g)].map(([, type]) => String(type));

it('TAG-126, TAG-128: the types are those of the specification, with `account` and `zone`', () => {
  expect([...accountTypes, 'account'].toSorted()).toEqual(typesIn('TAG-126').toSorted());
  expect([...zoneTypes, 'zone'].toSorted()).toEqual(typesIn('TAG-128').toSorted());
  expect(typesIn('TAG-126')).toHaveLength(30);
  expect(typesIn('TAG-128')).toHaveLength(11);
  for (const [type, member] of Object.entries(parents)) {
    expect(specification).toContain(`\`${member}\` for \`${type}\``);
  }
});

it('the codes, statuses and messages are those of section 14', () => {
  const rows = [...specification.matchAll(/^\| TAG-1\d\d \| MUST \| (\d+) \| (\d+) \| `([^`<]+)` \|/gm)].map(
    ([, code, status, message]) => ({ status: Number(status), code: Number(code), message }),
  );
  expect(rows).toHaveLength(13);
  expect(Object.values(refusals)).toEqual(expect.arrayContaining(rows));
});
