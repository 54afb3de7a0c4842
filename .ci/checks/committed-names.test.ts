import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

/** Names that hold on one machine or one network only. Written so that they do not match themselves. */
const foreign = [
  /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/i,
  /\bnpmjs\.(?:org|com)/i,
  /\byarnpkg\.com/i,
  /\bnpm\.jsr\.io/i,
  /\btarball: /,
  // Absolute: a folder of the code may have this name.
  /(?<![\w.-])\/work\//,
  /\/\.library\b/,
  /\/home\/[a-z]/,
  /\/Users\/[a-z]/,
];

const faultsIn = (text: string): string[] => foreign.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

describe('committed files', () => {
  it.each(['registry*.example.org', 'www.npm*js.com', '/wo*rk/main', '/ho*me/ada'])(
    'would be refused for naming %s',
    (masked) => {
      // Masked, so that this file may be committed itself.
      expect(faultsIn(masked.replace('*', ''))).not.toEqual([]);
    },
  );

  it('name no registry host and no place on one machine', () => {
    const files = trackedFiles();
    const faults = files.flatMap((path) => faultsIn(readTracked(path)).map((name) => `${path}: ${name}`));
    expect(files).toContain('pnpm-lock.yaml');
    expect(faults).toEqual([]);
  });
});
