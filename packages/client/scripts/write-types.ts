/** Writes `src/schema.ts`, the types of the client, from the OpenAPI document of the service. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, digestOf } from './client-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
try {
  const document = await clientDocument();
  const [source, made] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
  writeFileSync(source, JSON.stringify(document));
  // The generator needs the API of an older compiler, which nothing else here installs.
  const packages = ['-p', 'openapi-typescript@7.13.0', '-p', 'typescript@5'];
  const flags = ['--immutable', '--default-non-nullable=false', '--alphabetize'];
  execFileSync('npx', ['-y', ...packages, 'openapi-typescript', source, '-o', made, ...flags], { stdio: 'inherit' });
  const header = `/** Made by \`scripts/write-types.ts\` from the OpenAPI document with the digest ${digestOf(document)}. */\n\n`;
  const text = readFileSync(made, 'utf8').replace(/^\/\*\*[^]*?\*\/\s*/, '');
  writeFileSync(fileURLToPath(new URL('../src/schema.ts', import.meta.url)), header + text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
