import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import { holds } from '../../steps/holds.ts';
import { discover, push, set } from '../../tools/wire-client.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { assertRefused, assertSuccess, failures, repoExists } from '../../steps/replies.ts';
import { assertApart, assertMembers, idForm, timeOf, withoutDetails } from '../../steps/values.ts';

const createdMembers = ['id', 'name', 'description', 'default_branch', 'remote', 'token'];
const infoMembers = [
  'id',
  'name',
  'description',
  'default_branch',
  'created_at',
  'updated_at',
  'last_push_at',
  'source',
  'read_only',
  'remote',
];

export const repos: Suite = suite(
  {
    id: 'rest/repos/create',
    requirements: ['REPO-047', 'REPO-053', 'REPO-074', 'REPO-110', 'REPO-111', 'REPO-113', 'TOKEN-001'],
    level: 'MUST',
    explanation: 'A repo is made with what the body says, or its defaults, and with one token that may write.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const body = { name: 'Notes', description: 'Ünd 😀', default_branch: 'trunk/x', read_only: true };
      const full = assertSuccess(await t.rest('POST', path, { body }), 201, 'POST with every member');
      assertMembers(full, createdMembers, 'a created repo');
      assert.match(full.id, idForm, 'expected an id of 16 characters');
      assert.deepEqual(
        [full.name, full.description, full.default_branch],
        ['Notes', 'Ünd 😀', 'trunk/x'],
        'expected what was sent',
      );
      const form = new RegExp(`^${t.dialect.tokenPrefix}[0-9a-f]{40}\\?expires=\\d+$`);
      assert.match(
        full.token.replace(/[0-9a-f]{40}/, '0'.repeat(40)),
        form,
        'expected a token of the form of TOKEN-001',
      );

      const plain = assertSuccess(
        await t.rest('POST', path, { body: { name: 'plain' } }),
        201,
        'POST with a name alone',
      );
      assertMembers(plain, createdMembers, 'a created repo');
      assert.deepEqual([plain.description, plain.default_branch], [null, 'main'], 'expected the defaults');
      assert.notEqual(plain.id, full.id, 'expected an id of its own');

      const tokens = assertSuccess(await t.rest('GET', `${path}/plain/tokens?state=all`), 200, 'the list of tokens');
      assert.equal(tokens.length, 1, 'expected one token');
      assert.deepEqual(
        [tokens[0].scope, tokens[0].state],
        ['write', 'active'],
        'expected an active token that may write',
      );
      assertApart(tokens[0].created_at, tokens[0].expires_at, 86_400, 'the default lifetime of a token');
    },
  },
  {
    id: 'rest/repos/get',
    requirements: ['REPO-046', 'REPO-051', 'REPO-052', 'REPO-058', 'REPO-075', 'REPO-076', 'REPO-180'],
    level: 'MUST',
    explanation: 'A repo is shown with its members in order, in lists with its status last.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const body = { description: 'd', default_branch: 'trunk', read_only: true };
      const repo = await t.createRepo({ name: 'Shown', body });
      const got = withoutDetails(assertSuccess(await t.rest('GET', `${path}/shown`), 200, 'GET of the repo'));
      assertMembers(got, infoMembers, 'a repo');
      timeOf(got.created_at, 'created_at');
      const { id, remote } = repo;
      const times = { created_at: got.created_at, updated_at: got.created_at, last_push_at: null };
      assert.deepEqual(
        got,
        { id, name: 'Shown', ...body, ...times, source: null, remote },
        'expected the repo that was made',
      );
      const [item, ...others] = assertSuccess(await t.rest('GET', path), 200, 'the list of repos');
      assertMembers(item, [...infoMembers, 'status'], 'a repo in a list');
      assert.deepEqual(item, { ...got, status: 'ready' }, 'expected the same in the list, and that it is ready');
      assert.deepEqual(others, [], 'expected no other repo');
    },
  },
  {
    id: 'rest/repos/fixed',
    requirements: ['REPO-112'],
    level: 'MUST',
    explanation: 'A repo stays as it was made when it is made again, which is refused.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'r', body: { description: 'first' } });
      const path = `/namespaces/${t.namespace}/repos`;
      const before = (await t.rest('GET', `${path}/r`)).json.result;
      const body = { name: 'R', description: 'second', default_branch: 'x', read_only: true };
      await assertRefused(t, ['POST', path, body], repoExists('R'));
      for (const method of ['PUT', 'POST']) {
        const { status } = await t.rest(method, `${path}/r`, { body });
        assert.equal(status, 405, `${method} of the repo: expected 405`);
      }
      assert.deepEqual((await t.rest('GET', `${path}/r`)).json.result, before, 'expected the repo as it was');
      assert.equal((await discover(repo)).status, 200, 'expected its token to work as before');
    },
  },
  {
    id: 'rest/repos/branch-names',
    requirements: ['LIM-008', 'REPO-063', 'REPO-111'],
    level: 'MUST',
    explanation: 'The default branch has a name that a branch may have, of 256 bytes at most.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const bad = [
        '',
        '-x',
        'HEAD',
        'a..b',
        'a b',
        'x.lock',
        'x.lock/y',
        '/x',
        'x/',
        'a//b',
        'a/.b',
        'x.',
        'a~b',
        'a^b',
      ];
      const more = ['a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a@{b', 'a\tb', 'a\u007fb', 'é'.repeat(129), 'x'.repeat(257)];
      for (const branch of [...bad, ...more]) {
        await assertRefused(t, ['POST', path, { name: 'r', default_branch: branch }], failures.branchName);
      }
      const good = ['feature/x', '@', 'head', 'refs/heads/x', 'a-', 'é'.repeat(128), 'x'.repeat(256), '日本/語'];
      for (const [i, branch] of good.entries()) {
        const made = await t.rest('POST', path, { body: { name: `r${i}`, default_branch: branch } });
        assert.equal(
          assertSuccess(made, 201, `POST with the branch ${branch}`).default_branch,
          branch,
          'expected it back',
        );
        const got = assertSuccess(await t.rest('GET', `${path}/r${i}`), 200, 'GET of it');
        assert.equal(got.default_branch, branch, 'expected the default branch, although it does not exist yet');
      }
    },
  },
  {
    id: 'rest/repos/descriptions',
    requirements: ['LIM-007', 'REPO-110'],
    level: 'MUST',
    explanation: 'A description is any text of up to 1,024 characters, and comes back as it was sent.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      let count = 0;
      const assertKept = async (description: string): Promise<void> => {
        count += 1;
        const body = { name: `r${count}`, description };
        const made = assertSuccess(await t.rest('POST', path, { body }), 201, 'POST with a description');
        assert.equal(made.description, description, 'expected the description as it was sent');
        const got = assertSuccess(await t.rest('GET', `${path}/r${count}`), 200, 'GET of it');
        assert.equal(got.description, description, 'expected the description as it was sent');
      };
      const special = ['', '\0', 'a\0b', '\uFEFFx', '"\\\u2028</script>', '😀'.repeat(1024), 'x'.repeat(1024)];
      for (const description of special) await assertKept(description);
      await holds(t, 20, fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), assertKept));
    },
  },
  {
    id: 'rest/repos/read-only',
    requirements: ['REPO-183', 'TOKEN-006'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A read-only repo refuses pushes with any token, and allows reads, tokens of both scopes and its deletion.',
    run: async (t) => {
      const repo = await t.createRepo({ body: { read_only: true } });
      for (const scope of ['read', 'write'] as const) {
        const token = await t.mintToken(repo, { scope });
        assert.equal((await discover({ ...repo, token })).status, 200, `discovery with ${scope}: expected 200`);
        const writing = await discover({ ...repo, token }, { service: 'git-receive-pack' });
        assert.equal(writing.status, 403, `discovery of a push with ${scope}: expected 403`);
      }
      const refused = await discover(repo, { service: 'git-receive-pack' });
      assert.deepEqual(refused.lines, ['Repository is read-only'], 'expected the reason');
      const path = `/namespaces/${repo.namespace}/repos/${repo.name}`;
      assert.equal(assertSuccess(await t.rest('GET', path), 200, 'GET').read_only, true, 'expected read_only');
      assertSuccess(await t.rest('DELETE', path), 202, 'DELETE');
    },
  },
  {
    id: 'rest/repos/pushed',
    requirements: ['REPO-057', 'REPO-239'],
    level: 'MUST',
    beyond: true,
    explanation: 'A push that changes a ref moves updated_at and last_push_at by the time it is acknowledged.',
    run: async (t) => {
      const repo = await t.createRepo();
      const path = `/namespaces/${repo.namespace}/repos/${repo.name}`;
      const before = assertSuccess(await t.rest('GET', path), 200, 'GET before the push');
      assert.equal(before.last_push_at, null, 'expected no push yet');
      let last = timeOf(before.updated_at, 'updated_at');
      let parent: ReturnType<typeof change> | undefined;
      for (const message of ['one', 'two']) {
        const next = parent === undefined ? change(message) : change(message, parent);
        // Times have milliseconds, so two changes within one would look simultaneous.
        await new Promise((resolve) => setTimeout(resolve, 5));
        const report = await push(repo, [set('refs/heads/main', next, parent)], pack(...next.all));
        assert.deepEqual(report, ['unpack ok', 'ok refs/heads/main'], 'expected the push to be taken');
        const after = assertSuccess(await t.rest('GET', path), 200, 'GET after the push');
        const pushed = timeOf(after.last_push_at, 'last_push_at');
        assert.equal(after.ref_count, 1, 'expected one ref after each push to it');
        assert.ok(pushed > last, 'expected last_push_at to be the time of the push');
        assert.ok(timeOf(after.updated_at, 'updated_at') > last, 'expected updated_at to change with the push');
        const { updated_at, last_push_at } = after;
        assert.deepEqual(
          withoutDetails(after),
          { ...withoutDetails(before), updated_at, last_push_at },
          'expected all else as it was',
        );
        const [listed] = assertSuccess(await t.rest('GET', `/namespaces/${repo.namespace}/repos`), 200, 'the list');
        assert.deepEqual(listed, { ...withoutDetails(after), status: 'ready' }, 'expected the list to show the same');
        last = timeOf(after.updated_at, 'updated_at');
        parent = next;
      }
      const settled = assertSuccess(await t.rest('GET', path), 200, 'GET before pushes that change nothing');
      const tip = parent as ReturnType<typeof change>;
      await push(repo, [set('refs/heads/main', tip, tip)], pack());
      const stale = change('stale');
      await push(repo, [set('refs/heads/main', stale, stale)], pack(...stale.all));
      const unchanged = assertSuccess(await t.rest('GET', path), 200, 'GET after them');
      assert.deepEqual(withoutDetails(unchanged), withoutDetails(settled), 'expected no other time');
    },
  },
);
