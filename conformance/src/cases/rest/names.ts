import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import { holds } from '../../steps/holds.ts';
import { assertFailure, assertRefused, assertSuccess, failures } from '../../steps/replies.ts';

/** Texts that are similar to names. */
const nearlyName = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...'abXYZ019._-') },
    { weight: 1, arbitrary: fc.constantFrom(' ', '/', '\\', '%', 'ä', '😀', '\n', '\0', '\u212A', '@', '~') },
  ),
  maxLength: 70,
});

const nameForm = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

function isNamespaceName(text: string): boolean {
  return nameForm.test(text) && text.length >= 2 && text.length <= 63 && !text.endsWith('-');
}

export const names: Suite = suite(
  {
    id: 'rest/names/namespaces',
    requirements: ['LIM-005', 'REPO-060', 'REPO-062'],
    level: 'MUST',
    explanation:
      'Names of namespaces have 2 to 63 characters of the rule and do not end in -; others are refused wherever one would be made.',
    run: async (t) => {
      const bad = [
        'a',
        '',
        '-a',
        '.a',
        '_a',
        'a-',
        'a b',
        ' ab',
        'ab ',
        'a/b',
        'ä1',
        'ab\n',
        '\u212Aab',
        'x'.repeat(64),
      ];
      for (const namespace of bad) {
        await assertRefused(t, ['POST', '/namespaces', { namespace }], failures.namespaceName);
        if (namespace === '') continue;
        const path = `/namespaces/${encodeURIComponent(namespace)}/repos`;
        await assertRefused(t, ['POST', path, { name: 'r' }], failures.namespaceName);
      }
      const longest = t.name('long').padEnd(63, 'x');
      const punctuated = `${t.name('A')}_.B-.c`;
      for (const namespace of [longest, punctuated]) {
        const made = assertSuccess(
          await t.rest('POST', '/namespaces', { body: { namespace } }),
          201,
          `POST of ${namespace}`,
        );
        assert.equal(made.namespace, namespace, 'expected the name as it was sent');
      }
      // Another user of the account may already have so short a name.
      const shortest = `${'abcdefghijklmnopqrstuvwxyz'[t.seed % 26]}${Math.floor(t.seed / 26) % 10}`;
      const { status } = await t.rest('POST', '/namespaces', { body: { namespace: shortest } });
      assert.ok([201, 409].includes(status), `POST of a name of two characters: expected 201 or 409, not ${status}`);
    },
  },
  {
    id: 'rest/names/repos',
    requirements: ['LIM-006', 'REPO-061', 'REPO-163'],
    level: 'MUST',
    explanation: 'Names of repos have 1 to 512 characters of the rule; others are refused with their own code.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      for (const name of [
        '',
        '-a',
        '.a',
        '_a',
        '.git',
        'a b',
        'a/b',
        '..',
        'ä',
        'a\n',
        '\u212A',
        'a\0',
        'x'.repeat(600).concat(' '),
      ]) {
        await assertRefused(t, ['POST', path, { name }], failures.repoName);
      }
      const tooLong = { ...failures.repoName, message: 'Invalid repo name: must be at most 512 characters' };
      await assertRefused(t, ['POST', path, { name: 'x'.repeat(513) }], tooLong);
      for (const name of ['a', '0', 'A.b_c-', 'r.git', 'a..b', 'con', 'HEAD', 'x'.repeat(512)]) {
        const made = assertSuccess(await t.rest('POST', path, { body: { name } }), 201, `POST of ${name.slice(0, 20)}`);
        assert.equal(made.name, name, 'expected the name as it was sent');
        const got = assertSuccess(await t.rest('GET', `${path}/${name}`), 200, `GET of ${name.slice(0, 20)}`);
        assert.equal(got.id, made.id, 'expected the same repo');
      }
    },
  },
  {
    id: 'rest/names/any-namespace',
    requirements: ['REPO-060'],
    level: 'MUST',
    explanation: 'Whatever text is sent as the name of a namespace, it is taken exactly if it keeps the rule.',
    run: async (t) => {
      const property = fc.asyncProperty(nearlyName, async (text) => {
        const reply = await t.rest('POST', '/namespaces', { body: { namespace: text } });
        if (!isNamespaceName(text)) assertFailure(t, reply, failures.namespaceName, `POST of ${JSON.stringify(text)}`);
        else assert.ok([201, 409].includes(reply.status), `POST of ${text}: expected 201 or 409, not ${reply.status}`);
      });
      await holds(t, 20, property);
    },
  },
  {
    id: 'rest/names/any-repo',
    requirements: ['REPO-061', 'REPO-062', 'REPO-112'],
    level: 'MUST',
    explanation:
      'Whatever text is sent as the name of a repo, it is taken exactly if it keeps the rule and no other has it in any case.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const taken = new Set<string>();
      const name = fc.oneof(
        { weight: 3, arbitrary: nearlyName },
        { weight: 1, arbitrary: fc.stringMatching(/^[ab][aB]?$/) },
      );
      const property = fc.asyncProperty(name, async (text) => {
        const reply = await t.rest('POST', path, { body: { name: text } });
        const what = `POST of ${JSON.stringify(text)}`;
        const folded = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        if (!nameForm.test(text)) assertFailure(t, reply, failures.repoName, what);
        else if (taken.has(folded)) assert.equal(reply.status, 409, `${what}: expected 409, the name is taken`);
        else assertSuccess(reply, 201, what);
        if (nameForm.test(text)) taken.add(folded);
      });
      await holds(t, 20, property);
      const listed = assertSuccess(await t.rest('GET', `${path}?limit=200`), 200, 'the list of repos');
      const found = listed.map(({ name }: { name: string }) => name.toLowerCase());
      assert.deepEqual(found.toSorted(), [...taken].toSorted(), 'expected the names that were taken, and no other');
    },
  },
  {
    id: 'rest/names/case',
    requirements: ['REPO-062', 'REPO-112', 'REPO-168'],
    level: 'MUST',
    explanation: 'Names are unique and found ignoring ASCII case alone; the stored spelling is shown.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'Notes' });
      const paths = [`/namespaces/${t.namespace}/repos`, `/namespaces/${t.namespace.toUpperCase()}/repos`];
      for (const path of paths) {
        for (const name of ['Notes', 'notes', 'NOTES']) {
          const got = assertSuccess(await t.rest('GET', `${path}/${name}`), 200, `GET ${path}/${name}`);
          assert.deepEqual([got.id, got.name], [repo.id, 'Notes'], 'expected the repo with its stored spelling');
          const message = `repo already exists: ${name}`;
          await assertRefused(t, ['POST', path, { name }], { status: 409, code: 10201, message });
          const tokens = await t.rest('GET', `${path}/${name}/tokens`);
          assert.equal(assertSuccess(tokens, 200, 'the list of tokens').length, 1, 'expected its token');
        }
      }
      // Only Unicode lower-cases the Kelvin sign to k.
      await t.createRepo({ name: 'Mark' });
      await assertRefused(t, ['GET', `${paths[0]}/mar%E2%84%AA`], failures.noRepo);
    },
  },
);
