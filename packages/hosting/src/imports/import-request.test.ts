import { describe, expect, it } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import { resolveSettings } from '../settings/settings.ts';
import { cloneUrl, readImportRequest } from './import-request.ts';

const settings = resolveSettings({}, neutral);
const read = (body: Record<string, unknown>, name = 'x') => readImportRequest('default', name, body, settings);
const errorsOf = (body: Record<string, unknown>, name?: string): unknown => {
  try {
    read(body, name);
  } catch (error) {
    const { status, items } = error as { status: number; items: unknown };
    return { status, items };
  }
  return undefined;
};
const url = 'https://git.example/team/repo';

describe('readImportRequest', () => {
  it('REPO-125: reads all members and applies defaults', () => {
    expect(read({ url })).toMatchObject({
      namespace: 'default',
      name: 'x',
      branch: undefined,
      depth: undefined,
      readOnly: false,
      description: null,
    });
    const all = { url: `${url}.git`, branch: 'a/b', depth: 3, read_only: true, description: 'd' };
    expect(read(all)).toMatchObject({ branch: 'a/b', depth: 3, readOnly: true, description: 'd' });
  });

  it.each([
    [{}, 'Invalid input: expected string, received undefined'],
    [{ url: 7 }, 'Invalid input: expected string, received number'],
    [{ url: '' }, 'Must be an HTTPS URL'],
    [{ url: 'repo' }, 'Must be an HTTPS URL'],
    [{ url: 'http://git.example/repo' }, 'Must be an HTTPS URL'],
    [{ url: 'git@git.example:team/repo' }, 'Must be an HTTPS URL'],
    [{ url: 'ssh://git.example/repo' }, 'Must be an HTTPS URL'],
    [{ url: 'file:///etc' }, 'Must be an HTTPS URL'],
    [{ url: `${url}/${'x'.repeat(2048)}` }, 'Too big: expected string to have <=2048 characters'],
  ])('REPO-126: rejects the body %j', (body, message) => {
    expect(errorsOf(body)).toEqual({
      status: 400,
      items: [{ kind: 'invalidInput', code: 10100, message, pointer: '/url' }],
    });
  });

  it.each(['https://user@git.example/x', 'https://user:secret@git.example/x', 'https://:secret@git.example/x'])(
    'REPO-126: rejects the URL %s',
    (given) => {
      const message = 'url must be an HTTPS git remote URL (e.g. https://github.com/owner/repo)';
      expect(errorsOf({ url: given })).toEqual({
        status: 400,
        items: [{ kind: 'invalidUrl', code: 10104, message, pointer: '/url' }],
      });
    },
  );

  it('REPO-036, REPO-125: reports every bad field in the order of the specification', () => {
    const body = { url: 'x', branch: '-x', depth: 0, read_only: 'no', description: 1 };
    const { items } = errorsOf(body, '-') as { items: { pointer: string }[] };
    expect(items.map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/url',
      '/branch',
      '/depth',
      '/read_only',
      '/description',
    ]);
    expect(errorsOf({ url, depth: 1.5 })).toMatchObject({ items: [{ pointer: '/depth' }] });
    expect(errorsOf({ url, branch: '' })).toMatchObject({ items: [{ message: 'Invalid branch name' }] });
  });

  it.each([
    [url, `${url}.git`],
    [`${url}/`, `${url}.git`],
    [`${url}.git/`, `${url}.git`],
    [`${url}.git?token=secret#x`, `${url}.git`],
    ['https://git.example', 'https://git.example/.git'],
    ['https://git.example/.git/', 'https://git.example/.git'],
    ['HTTPS://GIT.example:443/Team/Repo', 'https://git.example/Team/Repo.git'],
  ])('REPO-058: makes the clone URL of %s', (given, clone) => {
    expect(cloneUrl(read({ url: given }).url)).toBe(clone);
  });
});
