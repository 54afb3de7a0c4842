import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('ERR-009: the catalogue of the suite is that of the specification, byte for byte', () => {
  const copy = readFileSync(new URL('error-catalogue.json', import.meta.url), 'utf8');
  const specified = new URL('../../../../docs/specification/error-catalogue.json', import.meta.url);
  expect(copy).toBe(readFileSync(specified, 'utf8'));
});
