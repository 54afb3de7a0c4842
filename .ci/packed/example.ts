import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pack.ts';

/** The first example of a README, with what it prints. */
export interface Example {
  readonly code: string;
  readonly printed: string;
  /** What the README says to install, by the names: `packed` for packages of ours. */
  readonly installed: Readonly<Record<string, string>>;
}

const marked =
  /<!-- executed by [^>]*: ([\w.]+) -->\n+```ts\n([^]*?)```\n+<!-- printed by \1 -->\n+```text\n([^]*?)```/;

/** @throws {Error} if the README has no command that installs the package, or no example. */
export function readExample(folder: string): Example {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const [, , code, printed] = marked.exec(text) ?? [];
  const [, packages] = /npm install (?:--save-dev )?(@packhouse\/[^`\n]*)/.exec(text) ?? [];
  if (code === undefined || printed === undefined || packages === undefined) {
    throw new Error(`${folder}/README.md: expected a line "npm install ..." and an example that is executed`);
  }
  const installed = packages.split(' ').map((word): [string, string] => {
    const at = word.indexOf('@', 1);
    if (word.startsWith('@packhouse/')) return [word, 'packed'];
    return at === -1 ? [word, '*'] : [word.slice(0, at), word.slice(at + 1)];
  });
  return { code, printed: printed.trim(), installed: Object.fromEntries(installed) };
}
