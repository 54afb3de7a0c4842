import { stripTypeScriptTypes } from 'node:module';
import { readFileSync, readdirSync } from 'node:fs';
import { cases } from '@packhouse/conformance';
import { schemaFaults, type Schema } from '@packhouse/conformance/tools/json-schema';
import { expect, it } from 'vitest';
import { readFaultFiles, repository } from './fault.ts';
import { patchedSource } from './patch.ts';

const files = readFaultFiles();
const faults = files.flatMap((file) => file.faults);
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');

it('matches the schema, with the area in each id', () => {
  const schema = JSON.parse(read('packages/adversary/faults/faults.schema.json')) as Schema;
  for (const { path, ...file } of files) {
    expect(schemaFaults(schema, file), path).toEqual([]);
    expect(file.faults.filter(({ id }) => !id.startsWith(`${file.area}/`)).map(({ id }) => id)).toEqual([]);
  }
});

it('has at least 100 faults, 15 in each area, each with another id', () => {
  const areas = Map.groupBy(faults, ({ id }) => id.split('/')[0]);
  expect(faults.length).toBeGreaterThanOrEqual(100);
  expect([...areas].filter(([, { length }]) => length < 15).map(([area]) => area)).toEqual([]);
  expect(areas.size).toBe(7);
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});

it.each(faults.map((fault) => [fault.id, fault] as const))('%s applies', (_id, { patch }) => {
  for (const file of new Set(patch.map((one) => one.file))) {
    const source = patchedSource(
      new URL(file, repository),
      patch.filter((one) => one.file === file),
    );
    expect(stripTypeScriptTypes(source)).not.toBe(stripTypeScriptTypes(read(file)));
  }
});

it('names requirements and cases that exist', () => {
  const specification = new URL('docs/specification/', repository);
  const texts = readdirSync(specification)
    .filter((name) => name.endsWith('.md'))
    .map((name) => read(`docs/specification/${name}`));
  const rows = new Set(texts.join('\n').match(/\b[A-Z]+-\d{3}\b/g));
  const ids = new Set(cases.map(({ id }) => id));
  expect(faults.filter(({ requirement }) => !rows.has(requirement)).map(({ id }) => id)).toEqual([]);
  expect(faults.flatMap(({ caughtBy = [] }) => caughtBy).filter((id) => !ids.has(id))).toEqual([]);
});
