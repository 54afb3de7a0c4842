/**
 * Writes the version that changesets put into the manifests to all other places that need it. `pnpm release:version`
 * runs it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishable, root } from './packed/pack.ts';

function replaceIn(path: string, pattern: RegExp, text: string): void {
  const file = join(root, path);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(pattern, () => text),
  );
}

for (const { folder, manifest } of publishable) {
  const path = join(folder, 'jsr.json');
  if (existsSync(join(root, path))) replaceIn(path, /"version": "[^"]*"/, `"version": "${manifest.version}"`);
  if (folder === 'packages/hosting') {
    replaceIn('packages/hosting/src/outbound/version.ts', /version = '[^']*'/, `version = '${manifest.version}'`);
  }
}
