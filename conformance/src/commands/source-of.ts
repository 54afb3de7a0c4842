import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The sources are in the package beside the build. */
const folder = fileURLToPath(new URL('../../src/cases/', import.meta.url));

/**
 * Returns the file and line that declare a case, such as `src/cases/git/http/routes.ts:17`; null if they are not known.
 * Some ids are made of parts: then the line with the longest beginning of the id.
 */
export function sourceOf(id: string): string | null {
  const files = sources();
  for (let start = id; start.includes('/'); start = start.replace(/[-/][^-/]*$/, '')) {
    const marks = start === id ? [`'${id}'`, `\`${id}\``] : [`'${start}`, `\`${start}`];
    for (const [file, text] of files) {
      const mark = marks.find((one) => text.includes(one));
      if (mark !== undefined) return lineOf(file, text, mark);
    }
  }
  return recordedIn(id);
}

/** Returns the line that replays recorded exchanges: `area/recorded/name`. */
function recordedIn(id: string): string | null {
  const [area, folder, name] = id.split('/');
  const file = `${area}/recorded.ts`;
  const text = sources().get(file);
  return folder === 'recorded' && text !== undefined ? lineOf(file, text, `'${name}'`) : null;
}

function lineOf(file: string, text: string, mark: string): string {
  return `src/cases/${file}:${text.slice(0, text.indexOf(mark)).split('\n').length}`;
}

let read: ReadonlyMap<string, string> | undefined;

function sources(): ReadonlyMap<string, string> {
  read ??= readSources();
  return read;
}

function readSources(): ReadonlyMap<string, string> {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    return new Map(files.sort().map((name) => [name.replaceAll('\\', '/'), readFileSync(`${folder}/${name}`, 'utf8')]));
  } catch {
    return new Map();
  }
}
