import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

const files = trackedFiles();
const known = new Set(files.flatMap((path) => [path, ...folders(path)]));

/** Returns all folders above a path. */
function folders(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...folders(parent)];
}

/** Returns the targets of local Markdown links, relative to the root of the repository. */
const localLinks = (path: string, text: string): string[] =>
  [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => posix.join(posix.dirname(path), target).replace(/\/$/, ''));

describe('documents', () => {
  it.each(['README.md', 'LICENSE', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SHORTCOMINGS.md', 'CHANGELOG.md'])(
    '%s exists',
    (path) => {
      expect(readTracked(path).length).toBeGreaterThan(200);
    },
  );

  it('link to files that exist', () => {
    const documents = files.filter((path) => path.endsWith('.md'));
    const broken = documents.flatMap((path) =>
      localLinks(path, readTracked(path))
        .filter((target) => !known.has(target))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/design/graph.md',
    'docs/design/postgresql.md',
    'docs/design/workers.md',
  ])('%s names files and folders that exist', (path) => {
    const named = [...readTracked(path).matchAll(/`((?:packages|conformance|fixtures|docs|tools|\.ci)\/[\w./-]+)`/g)];
    const targets = named.map((match) => (match[1] ?? '').replace(/\/$/, ''));
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !known.has(target))).toEqual([]);
  });

  it('list every decision under its number, with its title', () => {
    const decisions = files
      .filter((path) => /^docs\/decisions\/\d/.test(path))
      .map((path) => posix.basename(path))
      .toSorted();
    const numbers = decisions.map((name) => name.slice(0, 4));
    const listed = [...readTracked('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\((.*?)\) +\| (.*?) +\|$/gm)];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(listed.map(([, , name]) => name)).toEqual(decisions);
    const titles = listed.map(([, number = '', , title = '']) => `# ${number}: ${title}`);
    expect(titles).toEqual(decisions.map((name) => readTracked(`docs/decisions/${name}`).split('\n', 1)[0]));
  });
});
