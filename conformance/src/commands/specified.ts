import { readFileSync } from 'node:fs';

const documents = 'https://github.com/packhouse-git/packhouse/blob/main/docs/specification';

/** The documents of the specification that have requirements with these letters. */
const documentsOf: Readonly<Record<string, readonly string[]>> = {
  BIND: ['binding.md'],
  ERR: ['errors.md'],
  GIT: ['git.md'],
  LIM: ['repositories.md', 'git.md'],
  NEG: ['errors.md'],
  REPO: ['repositories.md', 'README.md'],
  TAG: ['tagging.md'],
  TOKEN: ['repositories.md'],
};

/** Returns where a requirement is specified, and its text in a checkout. A package has no specification. */
export function specified(id: string): { readonly id: string; readonly text: string | null; readonly link: string } {
  const places = documentsOf[id.split('-')[0] ?? ''] ?? [];
  for (const document of places) {
    const text = rowsOf(document).get(id);
    if (text !== undefined) return { id, text, link: `${documents}/${document}` };
  }
  return { id, text: null, link: `${documents}/${places.length === 1 ? places[0] : 'README.md'}` };
}

/** One row of a table: the id, the level unless the row is about constants, and the rest. */
const rows = /^\| ([A-Z]+-\d{3}) \|(?: (?:MUST|SHOULD|MAY)(?: NOT)? \|)? (.+) \|$/gm;

const read = new Map<string, ReadonlyMap<string, string>>();

/** Returns the text of each requirement of a document; none outside a checkout. */
function rowsOf(document: string): ReadonlyMap<string, string> {
  const known = read.get(document);
  if (known !== undefined) return known;
  let text = '';
  try {
    text = readFileSync(new URL(`../../../docs/specification/${document}`, import.meta.url), 'utf8');
  } catch {
    // A package is installed without it.
  }
  const found = new Map([...text.matchAll(rows)].map(([, id = '', rest = '']) => [id, rest.replaceAll(/ +/g, ' ')]));
  read.set(document, found);
  return found;
}
