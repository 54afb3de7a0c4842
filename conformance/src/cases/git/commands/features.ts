/** GIT-097 to GIT-100 of docs/specification/git.md: optional parts of version 2. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { advertised, fetchFeatures } from '../../../tools/advertised.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { needFeature } from '../shallow/history.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, linesOf, packOf, post, readPackets, remove, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const unknown = '1'.repeat(40);

/** Creates a repo with two commits. Ends the case unless the service has a feature of `fetch`. */
async function repoOfService(t: Context, feature: string): Promise<TestRepo> {
  const refs = { 'refs/heads/main': second, 'refs/tags/old': first };
  const repo = await repoWith(t, refs, [...first.all, ...second.all]);
  await needFeature(t, repo, feature);
  return repo;
}

async function ask(repo: TestRepo, name: string, words: readonly string[]): Promise<Buffer> {
  const { status, body } = await post(repo, commandBody(name, words));
  assert.equal(status, 200, `${name} with [${words.join(', ')}] is answered 200.`);
  return body;
}

export const gitCommandsFeatures: Suite = suite(
  {
    id: 'git/commands/wait-for-done',
    requirements: ['GIT-097', 'GIT-096'],
    level: 'MUST',
    beyond: true,
    explanation: 'With wait-for-done there is neither ready nor a pack before done.',
    async run(t) {
      const repo = await repoOfService(t, 'wait-for-done');
      const words = ['wait-for-done', `have ${first.oid}`, 'no-progress'];
      const acknowledged = ['acknowledgments', `ACK ${first.oid}`, 'flush'];
      const want = `want ${second.oid}`;
      same(linesOf(await ask(repo, 'fetch', [want, ...words])), acknowledged, 'What is common is told, no more.');
      same(linesOf(await ask(repo, 'fetch', words)), acknowledged, 'So it is without a want.');
      const covered = [`want ${first.oid}`, `have ${second.oid}`, 'wait-for-done'];
      same(
        linesOf(await ask(repo, 'fetch', covered)),
        ['acknowledgments', `ACK ${second.oid}`, 'flush'],
        'So it is where nothing would have to be sent.',
      );
      same(
        linesOf(await ask(repo, 'fetch', [want, `have ${unknown}`, 'wait-for-done'])),
        ['acknowledgments', 'NAK', 'flush'],
        'Nothing that is common is told, too.',
      );
      const done = await ask(repo, 'fetch', [want, ...words, 'done']);
      same([...readPack(packOf(done)).objects.keys()].sort(), idsOf(second.all), 'After done the pack comes.');
    },
  },
  {
    id: 'git/commands/want-ref',
    requirements: ['GIT-098', 'GIT-094'],
    level: 'MUST',
    beyond: true,
    explanation: 'want-ref is resolved in the request and listed; an unknown ref is refused, and one named twice.',
    async run(t) {
      const repo = await repoOfService(t, 'ref-in-want');
      for (const ref of ['refs/heads/main', 'HEAD']) {
        const reply = await ask(repo, 'fetch', [`want-ref ${ref}`, 'no-progress', 'done']);
        same(
          linesOf(reply).slice(0, 4),
          ['wanted-refs', `${second.oid} ${ref}`, 'delim', 'packfile'],
          `${ref} is listed under the name asked for.`,
        );
        same(
          [...readPack(packOf(reply)).objects.keys()].sort(),
          idsOf([...first.all, ...second.all]),
          'The pack has what it reaches.',
        );
      }
      const beside = await ask(repo, 'fetch', [
        'want-ref refs/tags/old',
        `want ${second.oid}`,
        'want-ref HEAD',
        `have ${first.oid}`,
        'no-progress',
      ]);
      const lines = linesOf(beside);
      same(lines.slice(0, 4), ['acknowledgments', `ACK ${first.oid}`, 'ready', 'delim'], 'Acknowledgments come first.');
      same(
        [lines[4], lines.slice(5, 7).sort(), lines.slice(7, 9)],
        ['wanted-refs', [`${first.oid} refs/tags/old`, `${second.oid} HEAD`].sort(), ['delim', 'packfile']],
        'Each ref is listed.',
      );
      same([...readPack(packOf(beside)).objects.keys()].sort(), idsOf(second.all), 'What is common does not come.');
      for (const [refs, text] of [
        [['refs/heads/none'], 'unknown ref refs/heads/none'],
        [['main'], 'unknown ref main'],
        [['refs/heads/main', 'refs/heads/gone'], 'unknown ref refs/heads/gone'],
        [[second.oid], `unknown ref ${second.oid}`],
        [['refs/heads/main', 'refs/heads/main'], 'duplicate want-ref refs/heads/main'],
      ] as const) {
        const words = refs.map((ref) => `want-ref ${ref}`);
        same(
          linesOf(await ask(repo, 'fetch', [...words, 'done'])),
          [`ERR ${text}`],
          `${refs.join(' and ')} is refused.`,
        );
      }
      await accepted(repo, [remove('refs/heads/main', second)]);
      same(
        linesOf(await ask(repo, 'fetch', ['want-ref HEAD', 'want-ref refs/tags/old', 'no-progress', 'done'])).slice(
          0,
          4,
        ),
        ['wanted-refs', `${first.oid} refs/tags/old`, 'delim', 'packfile'],
        'A HEAD that is unborn by now is left out beside others.',
      );
      same(
        linesOf(await ask(repo, 'fetch', ['want-ref HEAD', 'done'])),
        ['ERR unknown ref HEAD'],
        'Alone it is refused like a ref that does not exist.',
      );
    },
  },
  {
    id: 'git/commands/want-ref-and-depth',
    requirements: ['GIT-098', 'GIT-094', 'GIT-072'],
    level: 'MUST',
    beyond: true,
    explanation: 'Behind acknowledgments the boundary comes, then the wanted refs, then the pack.',
    async run(t) {
      const repo = await repoOfService(t, 'ref-in-want');
      await needFeature(t, repo, 'shallow');
      const words = ['want-ref refs/heads/main', 'deepen 1', 'no-progress'];
      const rest = ['shallow-info', `shallow ${second.oid}`, 'delim', 'wanted-refs', `${second.oid} refs/heads/main`];
      same(
        linesOf(await ask(repo, 'fetch', words)).slice(0, 7),
        [...rest, 'delim', 'packfile'],
        'The sections come in their order.',
      );
      const ready = await ask(repo, 'fetch', [...words, `have ${second.oid}`]);
      same(
        linesOf(ready).slice(0, 11),
        ['acknowledgments', `ACK ${second.oid}`, 'ready', 'delim', ...rest, 'delim', 'packfile'],
        'So they do behind acknowledgments.',
      );
    },
  },
  {
    id: 'git/commands/sideband-all',
    requirements: ['GIT-099', 'GIT-017'],
    level: 'MUST',
    explanation: 'With sideband-all every packet but flush and delim carries one band byte.',
    async run(t) {
      const repo = await repoOfService(t, 'sideband-all');
      const words = ['sideband-all', 'no-progress', `want ${second.oid}`];
      same(
        linesOf(await ask(repo, 'fetch', [...words, `have ${unknown}`])),
        ['1:acknowledgments', '1:NAK', 'flush'],
        'Acknowledgments come in band 1.',
      );
      const reply = await ask(repo, 'fetch', [...words, `have ${first.oid}`]);
      const lines = linesOf(reply);
      same(
        lines.slice(0, 5),
        ['1:acknowledgments', `1:ACK ${first.oid}`, '1:ready', 'delim', '1:packfile'],
        'The sections come in their order.',
      );
      // Keep-alives are empty packets of band 2.
      const rest = readPackets(reply).slice(5, -1) as Buffer[];
      const pack = Buffer.concat(rest.filter((band) => band[0] === 1).map((band) => band.subarray(1)));
      same([...readPack(pack).objects.keys()].sort(), idsOf(second.all), 'The pack has its one band byte a packet.');
      const features = await fetchFeatures(repo);
      if (features.includes('shallow') && features.includes('ref-in-want')) {
        const cut = await ask(repo, 'fetch', ['sideband-all', 'no-progress', 'want-ref HEAD', 'deepen 1', 'done']);
        same(
          linesOf(cut).slice(0, 7),
          `1:shallow-info|1:shallow ${second.oid}|delim|1:wanted-refs|1:${second.oid} HEAD|delim|1:packfile`.split('|'),
          'So do the boundary and wanted refs.',
        );
      }
      same(
        linesOf(await ask(repo, 'fetch', ['sideband-all', `want ${unknown}`, 'done'])),
        [`3:upload-pack: not our ref ${unknown}`],
        'A refusal comes in band 3.',
      );
    },
  },
  {
    id: 'git/commands/object-info',
    requirements: ['GIT-100'],
    level: 'MUST',
    beyond: true,
    explanation: 'object-info tells the sizes of objects in the order asked, and nothing of one that is not visible.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': second }, [...first.all, ...second.all]);
      const known = await advertised(repo, 'git-upload-pack', 2);
      if (!known.some((word) => word.startsWith('object-info'))) {
        t.unsupported(`object-info is not advertised: ${known.join(', ')}`);
      }
      const asked = [second.file, first, { oid: unknown, body: '' }, second.root, first];
      const words = ['size', ...asked.map(({ oid }) => `oid ${oid}`)];
      const reply = await ask(repo, 'object-info', words);
      assert.ok(!reply.includes('\n'), 'No packet ends in LF.');
      same(
        linesOf(reply),
        ['size', ...asked.map(({ oid, body }) => `${oid} ${oid === unknown ? '' : body.length}`), 'flush'],
        'Each object is told with its size, one that is unknown with none.',
      );
    },
  },
  {
    id: 'git/commands/object-info-not-visible',
    requirements: ['GIT-100', 'GIT-048'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation:
      'object-info tells nothing of what no ref reaches, also if it was pushed, and takes no other argument.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': second }, [...first.all, ...second.all]);
      const known = await advertised(repo, 'git-upload-pack', 2);
      if (!known.some((word) => word.startsWith('object-info'))) {
        t.unsupported(`object-info is not advertised: ${known.join(', ')}`);
      }
      const stray = change('stray');
      const gone = change('gone');
      await accepted(repo, [set('refs/heads/gone', gone)], pack(...gone.all, ...stray.all));
      await accepted(repo, [remove('refs/heads/gone', gone)]);
      const asked = [stray, stray.file, first];
      same(
        linesOf(await ask(repo, 'object-info', ['size', ...asked.map(({ oid }) => `oid ${oid}`)])),
        ['size', `${stray.oid} `, `${stray.file.oid} `, `${first.oid} ${first.body.length}`, 'flush'],
        'What came with a push and no ref reaches is told like what is unknown.',
      );
      const line = 'no-such-argument';
      same(
        linesOf(await ask(repo, 'object-info', ['size', line])),
        [`ERR unexpected line: '${line}'`],
        'Another argument is refused.',
      );
    },
  },
);
