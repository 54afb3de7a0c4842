import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pack.ts';

/** An example of a README with its expected output. */
export interface Example {
  /** The file name, such as `first.ts`. */
  readonly name: string;
  readonly code: string;
  readonly printed: string;
  /** The packages that the README installs, by name; `packed` for packages of ours. */
  readonly installed: Readonly<Record<string, string>>;
}

const marked =
  /<!-- executed by ([^>]*): ([\w.]+) -->\n+```ts\n([^]*?)```\n+<!-- printed by \2 -->\n+```text\n([^]*?)```/g;

/**
 * Returns the first example, and all others that `.ci/hygiene.ts` runs, in order.
 *
 * @throws {Error} if the README has none, or no command that installs packages.
 */
export function readExamples(folder: string): readonly Example[] {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  // Other tests run the further examples of some packages.
  const ours = [...text.matchAll(marked)].filter(([, by], index) => index === 0 || by === '.ci/hygiene.ts');
  const examples = ours.map(([, , name = '', code = '', printed = '']) => {
    const place = text.indexOf(code);
    const commands = [...text.matchAll(/npm install (?:--save-dev )?(@packhouse\/[^`\n]*)/g)];
    const packages = (commands.findLast(({ index }) => index < place) ?? commands[0])?.[1];
    if (packages === undefined) throw new Error(`${folder}/README.md: no command "npm install ..." for ${name}`);
    return { name, code, printed: printed.trim(), installed: Object.fromEntries(packages.split(' ').map(versionOf)) };
  });
  if (examples.length === 0) throw new Error(`${folder}/README.md has no example that is executed`);
  return examples;
}

/** Splits a word of an install command into a package and its version. */
function versionOf(word: string): [name: string, version: string] {
  if (word.startsWith('@packhouse/')) return [word, 'packed'];
  const at = word.indexOf('@', 1);
  return at === -1 ? [word, '*'] : [word.slice(0, at), word.slice(at + 1)];
}
