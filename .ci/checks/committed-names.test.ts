import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

/** Names that exist on one machine or one network only, written so that they do not match themselves. */
const foreign = [
  /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/i,
  /\bnpmjs\.(?:org|com)/i,
  /\byarnpkg\.com/i,
  /\bnpm\.jsr\.io/i,
  /\btarball: /,
  // Only absolute paths: a folder of the code may have this name.
  /(?<![\w.-])\/work\//,
  /\/\.library\b/,
  /\/home\/[a-z]/,
  /\/Users\/[a-z]/,
  // On npm, the name without a scope belongs to another project; ours is @packhouse/cli.
  /\b(?:(?:npx|pnpx|bunx|(?:npm|pnpm|yarn|bun|deno) (?:i|install|add|exec|x|dlx)) (?:--?\S+ )*|npm:)packhouse\b/,
  /\bpackhouse\b['"]?: ['"`](?:[\^~\d]|workspace:)/,
];

const faultsIn = (text: string): string[] => foreign.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

describe('committed files', () => {
  it.each([
    'registry*.example.org',
    'www.npm*js.com',
    '/wo*rk/main',
    '/ho*me/ada',
    'npx -y pack*house serve',
    'npm install --save-dev pack*house',
    'npm:pack*house@1',
    '"pack*house": "^0.1.0"',
  ])('would be refused for naming %s', (masked) => {
    // Masked, so that this file may be committed itself.
    expect(faultsIn(masked.replace('*', ''))).not.toEqual([]);
  });

  it('name no registry host, no place on one machine, and no package of another project', () => {
    const files = trackedFiles();
    const faults = files.flatMap((path) => faultsIn(readTracked(path)).map((name) => `${path}: ${name}`));
    expect(files).toContain('pnpm-lock.yaml');
    expect(faults).toEqual([]);
  });
});
