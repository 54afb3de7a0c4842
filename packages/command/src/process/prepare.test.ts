import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeTooOld } from './prepare.ts';

it.each(['22.13.0', '22.14.1', '24.0.0', '100.0.0'])('runs on Node %s', (version) => {
  expect(nodeTooOld(version)).toBe('');
});

it.each(['0.12.18', '20.20.2', '22.12.0'])('refuses Node %s with a sentence', (version) => {
  expect(nodeTooOld(version)).toMatch(
    new RegExp(`^error: this program needs Node .*, and this is Node ${version}\\.\nhint: `),
  );
});

it('names the same version as the manifest', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  expect(nodeTooOld('20.0.0')).toContain(`needs Node ${manifest.engines.node.replace('>=', '')} or later`);
});
