/** `import` of docs/specification/binding.md, without a remote. */

import { suite, type Suite } from '../../core/case.ts';
import { assertRejected, messages } from './rejections.ts';

const [goodUrl, badUrl, goodName] = ['https://git.invalid/owner/repo', 'http://git.invalid/owner/repo', 'good'];

export const imports: Suite = suite(
  {
    id: 'binding/import/refused',
    requirements: ['BIND-041', 'BIND-043', 'BIND-080', 'BIND-084', 'BIND-085', 'BIND-086', 'BIND-091'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'An import is checked in the order name, URL, depth, branch, existence, before anything is fetched.',
    async run(t) {
      const binding = t.binding();
      const taken = (await binding.create(t.name('taken'))).name;
      const wrong = { branch: 'a..b', depth: 0 };
      for (const name of ['', '-x', 'a b', undefined, 7, 'x'.repeat(513)]) {
        const call = binding.import({ source: { url: badUrl, ...wrong }, target: { name } });
        await assertRejected(t, call, 'INVALID_REPO_NAME', `a target named ${String(name).slice(0, 12)}`);
      }
      for (const url of [undefined, '', 7, 'git.invalid/owner/repo', badUrl, 'ssh://git.invalid/x', 'file:///etc']) {
        const call = binding.import({ source: { url, ...wrong }, target: { name: taken } });
        await assertRejected(t, call, 'INVALID_INPUT', `the url ${String(url)}`);
      }
      for (const depth of [0, -1, 1.5, '1', null, Number.NaN]) {
        const call = binding.import({ source: { url: goodUrl, ...wrong, depth }, target: { name: taken } });
        await assertRejected(t, call, 'INVALID_INPUT', `the depth ${String(depth)}`);
      }
      for (const branch of ['', 'a..b', '-x', 'HEAD', 7]) {
        const call = binding.import({ source: { url: goodUrl, branch }, target: { name: taken } });
        await assertRejected(t, call, 'INVALID_INPUT', `the branch ${String(branch)}`);
      }
      for (const opts of [{ readOnly: 7 }, { description: 7 }]) {
        const call = binding.import({ source: { url: goodUrl }, target: { name: t.name(), opts } });
        await assertRejected(t, call, 'INVALID_INPUT', `the options ${JSON.stringify(opts)}`);
      }
      const call = binding.import({ source: { url: goodUrl, depth: 1, branch: 'main' }, target: { name: taken } });
      await assertRejected(t, call, 'ALREADY_EXISTS', 'a name that is taken', messages.taken(taken));
      for (const bad of [undefined, {}, { source: {} }, { target: {} }]) {
        await assertRejected(
          t,
          binding.import(bad),
          'INVALID_REPO_NAME',
          `import(${JSON.stringify(bad) ?? 'undefined'})`,
        );
      }
      await assertRejected(t, binding.import({ target: { name: goodName } }), 'INVALID_INPUT', 'no source');
    },
  },
  {
    id: 'binding/import/address',
    requirements: ['BIND-041', 'BIND-080', 'BIND-088', 'REPO-129'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A URL with a user, and an address that is not public, are refused, and leave nothing.',
    async run(t) {
      const binding = t.binding();
      const name = t.name();
      for (const url of ['https://user:word@git.invalid/x', 'https://127.0.0.1/x.git', 'https://[::1]/x']) {
        await assertRejected(t, binding.import({ source: { url }, target: { name } }), 'INVALID_URL', url);
      }
      await assertRejected(t, binding.get(name), 'NOT_FOUND', 'get', messages.noRepo(name));
    },
  },
);
