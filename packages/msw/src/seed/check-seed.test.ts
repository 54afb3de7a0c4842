import { describe, expect, it } from 'vitest';
import { createMock, SeedError, type Seed } from '../index.ts';
import { createTaggingMock, type TaggingSeed } from '../tagging.ts';

describe('a seed from JavaScript', () => {
  it.each<[unknown, string]>([
    [5, 'seed: expected an object, got 5'],
    [null, 'seed: expected an object, got null'],
    [{ repo: {} }, 'repo: there is no such member; there are namespaces, repos, tags'],
    [{ namespaces: 'drafts' }, 'namespaces: expected a list, got "drafts"'],
    [{ namespaces: [5] }, 'namespaces[0]: expected a text, got 5'],
    [{ repos: ['notes'] }, 'repos: expected an object with a member for each, got ["notes"]'],
    [{ repos: new Map([['notes', {}]]) }, 'repos: expected an object with a member for each, got [object Map]'],
    [{ repos: { a: { files: new Map() } } }, 'repos["a"].files: expected an object with a member for each, got [obj'],
    [{ repos: { a: { createdAt: new Date(0) } } }, 'repos["a"].createdAt: expected a text, got [object Date]'],
    [{ repos: { a: null } }, 'repos["a"]: expected an object, got null'],
    [{ repos: { a: { file: {} } } }, 'repos["a"].file: there is no such member; there are description, '],
    [{ repos: { a: { readOnly: 'yes' } } }, 'repos["a"].readOnly: expected true or false, got "yes"'],
    [
      { repos: { a: { files: { b: 5 } } } },
      'repos["a"].files["b"]: expected a text, bytes or { content, mode }, got 5',
    ],
    [{ repos: { a: { files: { b: null } } } }, 'repos["a"].files["b"]: expected a text'],
    [{ repos: { a: { files: { b: { content: '' } } } } }, 'repos["a"].files["b"].mode: it is needed'],
    [
      { repos: { a: { files: { b: { content: '', mode: 'exec' } } } } },
      '.mode: expected executable or symlink, got "exec"',
    ],
    [{ repos: { a: { commits: {} } } }, 'repos["a"].commits: expected a list, got {}'],
    [{ repos: { a: { commits: [{ message: 5 }] } } }, 'repos["a"].commits[0].message: expected a text, got 5'],
    [{ repos: { a: { commits: [{ author: { name: 'B' } }] } } }, 'repos["a"].commits[0].author.email: it is needed'],
    [
      { repos: { a: { commits: [{ author: { name: 'B\nx', email: '' } }] } } },
      'repos["a"].commits[0].author.name: expected a text in one line without "<" and ">", got "B\\nx"',
    ],
    [{ repos: { a: { commits: [{ author: { name: 'B', email: 'b>' } }] } } }, '.author.email: expected a text in one'],
    [{ repos: { a: { tags: { v1: null } } } }, 'repos["a"].tags["v1"]: expected a branch, or the number of a commit'],
    [{ repos: { a: { tags: { v1: { target: 0 } } } } }, 'repos["a"].tags["v1"].message: it is needed'],
    [{ tags: {} }, 'tags: expected a list, got {}'],
    [{ tags: [{ repo: 'a' }] }, 'tags[0].tags: it is needed'],
    [{ tags: [{ type: 'worker', tags: {} }] }, 'tags[0].id: it is needed'],
    [{ tags: [{ type: 'worker', id: 'x', tags: { env: 1 } }] }, 'tags[0].tags["env"]: expected a text, got 1'],
    [{ tags: [{ repo: 'a', id: 'x', tags: {} }] }, 'tags[0].id: there is no such member; there are repo, tags'],
  ])('%j is refused before any of it is stored', async (seed, message) => {
    const { store } = createMock({ baseUrl: 'https://api.example.test' });
    const given = (typeof seed === 'object' && seed !== null ? { namespaces: ['first'], ...seed } : seed) as Seed;
    await expect(store.seed(given)).rejects.toThrow(SeedError);
    await expect(store.seed(given)).rejects.toThrow(message);
    expect(await store.inspect.namespaces()).toEqual([]);
  });

  it('a seed of tags only is checked in the same way', async () => {
    const { store } = createTaggingMock({ baseUrl: 'https://tags.example.test' });
    const seeding = (seed: unknown): Promise<void> => store.seed(seed as TaggingSeed);
    await expect(seeding({ repos: {} })).rejects.toThrow(
      new SeedError('repos', 'there is no such member; there are tags'),
    );
    await expect(seeding({ tags: {} })).rejects.toThrow(new SeedError('tags', 'expected a list, got {}'));
  });
});
