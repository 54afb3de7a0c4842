import { shown } from '../values/shown.ts';
import type { AnnotatedTagSeed, CommitSeed, FileSeed, RepoSeed, RepoTagsSeed, Seed } from './seed.ts';
import { SeedError } from './seed-error.ts';
import type { ResourceTagsSeed, TaggingSeed } from './tag-seed.ts';

/**
 * Checks a value at a place of a seed.
 *
 * @throws {SeedError}
 */
type Check = (value: unknown, place: string) => void;

/** Checks a seed at run time. Callers in JavaScript may pass any value, and a misspelt member would have no effect. */
export const checkSeed: (seed: unknown) => void = (seed) => wholeSeed(seed, '');

/** Checks the seed of a mock that has only tagging. */
export const checkTaggingSeed: (seed: unknown) => void = (seed) => taggingSeed(seed, '');

const text = simple('a text', (value) => typeof value === 'string');
// A commit object separates names and addresses by these characters.
const ident = simple('a text in one line without "<" and ">"', (v) => typeof v === 'string' && !/[<>\n\0]/.test(v));
const flag = simple('true or false', (value) => typeof value === 'boolean');
const target = simple('a branch, or the number of a commit', (value) => ['string', 'number'].includes(typeof value));
const content = simple('a text or bytes', isContent);
const mode = simple('executable or symlink', (value) => value === 'executable' || value === 'symlink');
const texts = byKey(text);
const fileAndMode = members<Exclude<FileSeed, string | Uint8Array>>({ content, mode }, ['content', 'mode']);
const file: Check = (value, place) => {
  if (isContent(value)) return;
  if (!isObject(value)) fail(place, 'expected a text, bytes or { content, mode }', value);
  fileAndMode(value, place);
};
const gitTag: Check = (value, place) => (isObject(value) ? annotatedTag : target)(value, place);
const annotatedTag = members<AnnotatedTagSeed>({ target, message: text }, ['target', 'message']);
const commit = members<CommitSeed>({
  message: text,
  branch: text,
  files: byPath((value, place) => value === null || file(value, place)),
  author: members<NonNullable<CommitSeed['author']>>({ name: ident, email: ident }, ['name', 'email']),
  at: text,
});
const repo = members<RepoSeed>({
  description: text,
  defaultBranch: text,
  readOnly: flag,
  createdAt: text,
  files: byPath(file),
  commits: listOf(commit),
  tags: byKey(gitTag),
});
const resource = members<ResourceTagsSeed>({ type: text, id: text, zone: text, parent: text, tags: texts }, [
  'type',
  'id',
  'tags',
]);
const ofRepo = members<RepoTagsSeed>({ repo: text, tags: texts }, ['repo', 'tags']);
const resourceOrRepo: Check = (value, place) => (isObject(value) && 'repo' in value ? ofRepo : resource)(value, place);
const wholeSeed = members<Seed>({ namespaces: listOf(text), repos: byKey(repo), tags: listOf(resourceOrRepo) });
const taggingSeed = members<TaggingSeed>({ tags: listOf(resource) });

function simple(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, place) => fits(value) || fail(place, `expected ${expected}`, value);
}

function listOf(item: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) return fail(place, 'expected a list', value);
    for (const [number, one] of value.entries()) item(one, `${place}[${number}]`);
  };
}

function byKey(item: Check): Check {
  return (value, place) => {
    if (!isObject(value)) return fail(place, 'expected an object with a member for each', value);
    for (const [key, one] of Object.entries(value)) item(one, `${place}[${JSON.stringify(key)}]`);
  };
}

/** Checks an object by path. Paths are names that tree entries may have (GIT-146), with single slashes between. */
function byPath(item: Check): Check {
  const each = byKey(item);
  return (value, place) => {
    for (const path of Object.keys(isObject(value) ? value : {})) {
      if (!path.isWellFormed() || path.split('/').some((name) => /^(?:|\.|\.\.|\.git)$|\0/i.test(name))) {
        const problem = 'no path: expected well-formed names between single slashes, none of them ".", ".." or ".git"';
        throw new SeedError(`${place}[${JSON.stringify(path)}]`, problem);
      }
    }
    each(value, place);
  };
}

/** Checks the members of an object: each has its type, and there are no others. */
function members<Shape>(
  checks: Readonly<Record<keyof Shape & string, Check>>,
  needed: readonly (keyof Shape & string)[] = [],
): Check {
  const known = new Map<string, Check>(Object.entries(checks));
  return (value, place) => {
    if (!isObject(value)) return fail(place, 'expected an object', value);
    const of = (name: string): string => (place === '' ? name : `${place}.${name}`);
    for (const [name, one] of Object.entries(value)) {
      const check = known.get(name);
      if (check === undefined) {
        throw new SeedError(of(name), `there is no such member; there are ${[...known.keys()].join(', ')}`);
      }
      if (one !== undefined) check(one, of(name));
    }
    for (const name of needed) if (value[name] === undefined) throw new SeedError(of(name), 'it is needed');
  };
}

function fail(place: string, expected: string, value: unknown): never {
  // An object with its members elsewhere, such as a Map, would look empty as JSON.
  const isOther = typeof value === 'object' && value !== null && !Array.isArray(value) && !isObject(value);
  const got = isOther ? Object.prototype.toString.call(value) : shown(value);
  throw new SeedError(place === '' ? 'seed' : place, `${expected}, got ${got}`);
}

function isContent(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]';
}
