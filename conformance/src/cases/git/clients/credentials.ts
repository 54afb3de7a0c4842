/** GIT-172 of docs/specification/git.md: the usual ways to store credentials, and refusals as stock git shows them. */

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { gitAuth } from '../../../tools/git-auth.ts';
import { change } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { commitFile, revision } from '../../../steps/work-tree.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

async function script(path: string, ...lines: readonly string[]): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(path, 0o755);
}

export const gitClientsCredentials: Suite = suite(
  {
    id: 'git/clients/credential-helper',
    requirements: ['GIT-172', 'GIT-021', 'GIT-024'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'A credential helper is asked after the 401, and told that its answer was right.',
    async run(t) {
      const repo = await plainRepo(t);
      const folder = await t.folder();
      const [helper, log] = [join(folder, 'helper'), join(folder, 'log')];
      const answer = `if [ "$1" = get ]; then echo username=x; echo 'password=${repo.token}'; fi`;
      await script(helper, `echo "$1" >> '${log}'`, answer);
      const listed = await t.git(['-c', `credential.helper=${helper}`, 'ls-remote', repo.remote, 'main']);
      assert.equal(listed, `${first.oid}\trefs/heads/main\n`, 'The branch is listed.');
      assert.equal(await readFile(log, 'utf8'), 'get\nstore\n', 'The helper is asked once, then told to keep it.');
    },
  },
  {
    id: 'git/clients/wrong-credential-helper',
    requirements: ['GIT-172', 'GIT-025', 'GIT-185'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'With a wrong password from a helper git stops at the 403, and shows what the service says.',
    async run(t) {
      const repo = await plainRepo(t);
      const helper = join(await t.folder(), 'helper');
      for (const [password, told] of [
        [`${t.dialect.tokenPrefix}wrong`, 'Invalid or expired token'],
        ['wrong', t.dialect.foreignToken],
        [t.apiToken, t.dialect.foreignToken],
      ] as const) {
        await script(helper, `if [ "$1" = get ]; then echo username=x; echo 'password=${password}'; fi`);
        const { status, stderr } = await t.tryGit(['-c', `credential.helper=${helper}`, 'ls-remote', repo.remote]);
        assert.equal(status, 128, 'git ls-remote fails.');
        assert.ok(stderr.includes(`remote: ${told}\n`), 'It shows the text of the service.');
        assert.ok(!stderr.includes(t.apiToken), 'It does not show the API token.');
      }
    },
  },
  {
    id: 'git/clients/user-in-url',
    requirements: ['GIT-172', 'GIT-021'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'With a user name in the address git asks for the password alone, and the secret is one.',
    async run(t) {
      const repo = await plainRepo(t);
      const ask = join(await t.folder(), 'ask');
      await script(ask, `echo '${repo.token.split('?')[0]}'`);
      const cwd = await t.folder();
      const address = repo.remote.replace('://', '://ada@');
      await t.git(['-c', `core.askPass=${ask}`, 'clone', '--quiet', address, '.'], { cwd });
      assert.equal(await revision(t, cwd, 'HEAD'), first.oid, 'The clone is at the commit.');
    },
  },
  {
    id: 'git/clients/token-in-url',
    requirements: ['GIT-172', 'GIT-021'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'User name and password in the address work, the plaintext of the token percent-encoded.',
    async run(t) {
      const repo = await plainRepo(t);
      const address = repo.remote.replace('://', `://x:${encodeURIComponent(repo.token)}@`);
      const listed = await t.git(['ls-remote', address, 'main']);
      assert.equal(listed, `${first.oid}\trefs/heads/main\n`, 'The branch is listed.');
    },
  },
  {
    id: 'git/clients/remote-without-suffix',
    requirements: ['GIT-186', 'GIT-002'],
    level: 'MUST',
    own: true,
    needs: ['git'],
    explanation: 'In the neutral dialect stock git clones, pushes and fetches at an address without .git.',
    async run(t) {
      const repo = await plainRepo(t);
      const [address, cwd] = [repo.remote.replace(/\.git$/, ''), await t.folder()];
      const cloned = await t.tryGit([...repo.auth, 'clone', '--quiet', address, cwd]);
      if (!t.dialect.suffixOptional) {
        assert.equal(cloned.status, 128, 'Elsewhere there is nothing at that address.');
        return;
      }
      assert.equal(cloned.status, 0, 'The clone succeeds.');
      const pushed = await commitFile(t, cwd, 'a', '1');
      await t.git([...repo.auth, 'push', '--quiet', 'origin', 'HEAD:main'], { cwd });
      const listed = await t.git([...repo.auth, 'ls-remote', repo.remote, 'main']);
      assert.equal(listed, `${pushed}\trefs/heads/main\n`, 'The push is seen at the whole address.');
      await t.git([...repo.auth, 'fetch', '--quiet', 'origin'], { cwd });
      assert.equal(await revision(t, cwd, 'origin/main'), pushed, 'The fetch brings it.');
    },
  },
  {
    id: 'git/clients/refusals-shown',
    requirements: ['GIT-007', 'GIT-023', 'GIT-026'],
    level: 'MUST',
    needs: ['control plane', 'git'],
    explanation: 'Without a credential, with a wrong one and with one that may not push git fails, and says why.',
    async run(t) {
      const repo = await plainRepo(t);
      const none = await t.tryGit(['ls-remote', repo.remote]);
      assert.equal(none.status, 128, 'Without a credential git ls-remote fails.');
      assert.match(none.stderr, /could not read Username/, 'It would ask for one.');
      const wrong = await t.tryGit([...gitAuth('Bearer wrong'), 'clone', repo.remote, '.'], { cwd: await t.folder() });
      assert.equal(wrong.status, 128, 'With a wrong one git clone fails.');
      assert.ok(wrong.stderr.includes(`remote: ${t.dialect.foreignToken}\n`), 'It shows the text of the service.');
      const reader = await t.mintToken(repo, { scope: 'read' });
      const cwd = await t.folder();
      await t.git([...gitAuth(`Bearer ${reader}`), 'clone', '--quiet', repo.remote, '.'], { cwd });
      const push = await t.tryGit([...gitAuth(`Bearer ${reader}`), 'push', 'origin', 'HEAD:refs/heads/x'], { cwd });
      assert.equal(push.status, 128, 'With a token that may only read git push fails.');
      assert.match(push.stderr, /remote: Insufficient permissions/, 'It shows the text of the service.');
    },
  },
);
