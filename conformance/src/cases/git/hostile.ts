/** Pushes that try to cause high costs, or to evade the rules of sections 8 and 9 of git.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { expectFetched, expectIntact } from '../../tools/hosted-objects.ts';
import { blob, change, commit, tag, tree, type MadeObject } from '../../tools/made-objects.ts';
import { main } from '../../tools/push-reports.ts';
import { repoWith } from '../../steps/repo-with.ts';
import { discover, listedRefs } from '../../tools/wire-client.ts';

export const gitHostile: Suite = suite(
  {
    id: 'git/hostile/many-parents',
    requirements: ['GIT-149'],
    level: 'MUST',
    explanation: 'A commit that names one parent 1,000 times is taken like any other.',
    async run(t) {
      const names = Array.from({ length: 50 }, (_, i) => [`f${String(i).padStart(2, '0')}`, blob(`${i}`)] as const);
      const files = Object.fromEntries(names);
      const root = tree(files);
      const base = commit('base', root);
      const wide = tree({ ...files, f00: blob('changed') });
      const merge = commit('merge', wide, Array<MadeObject>(1_000).fill(base));
      const all = [merge, base, wide, root, blob('changed'), ...Object.values(files)];
      const repo = await repoWith(t, { [main]: merge }, all);
      await expectFetched(repo, [merge], [], all, 'All of it can be fetched.');
      await expectFetched(repo, [merge], [base], [merge, wide, blob('changed')], 'So can what its parent lacks.');
    },
  },
  {
    id: 'git/hostile/tag-chain',
    requirements: ['GIT-043', 'GIT-091'],
    level: 'MUST',
    explanation: 'A chain of 2,000 tags with a ref to each is peeled to its end.',
    async run(t) {
      const base = change('base');
      const tags: MadeObject[] = [];
      for (let i = 0; i < 2_000; i++) tags.push(tag(`t${i}`, tags.at(-1) ?? base));
      const refs = Object.fromEntries(tags.map((value, i) => [`refs/tags/t${i}`, value]));
      const repo = await repoWith(t, refs, [...base.all, ...tags]);
      const { lines } = await discover(repo, { version: 0 });
      assert(lines.includes(`${base.oid} refs/tags/t1999^{}`), 'Version 0 tells what the last tag peels to.');
      const listed = await listedRefs(repo);
      const last = tags.at(-1) as MadeObject;
      assert.equal(listed['refs/tags/t1999'], `${last.oid} peeled:${base.oid}`, 'So does version 2.');
    },
  },
  {
    id: 'git/hostile/deep-folders',
    requirements: ['GIT-149'],
    level: 'MUST',
    explanation: 'A file below 2,000 folders is taken and comes back.',
    async run(t) {
      const file = blob('deep\n');
      const folders: MadeObject[] = [tree({ file })];
      for (let i = 0; i < 2_000; i++) folders.push(tree({ folder: folders.at(-1) as MadeObject }));
      const value = commit('deep', folders.at(-1) as MadeObject);
      const repo = await repoWith(t, { [main]: value }, [value, file, ...folders]);
      await expectIntact(repo);
      await expectFetched(repo, [folders[0] as MadeObject], [], [folders[0] as MadeObject, file], 'The innermost too.');
    },
  },
  {
    id: 'git/hostile/folders-in-folders',
    requirements: ['GIT-149', 'GIT-060'],
    level: 'MUST',
    explanation: 'Folders that hold the one below twice, 40 deep, are looked at once each, not 2^40 times.',
    async run(t) {
      const file = blob('at the end\n');
      const folders: MadeObject[] = [tree({ file })];
      for (let i = 0; i < 40; i++) {
        const below = folders.at(-1) as MadeObject;
        folders.push(tree({ a: below, b: below }));
      }
      const top = folders.at(-1) as MadeObject;
      const value = commit('wide', top);
      const repo = await repoWith(t, { [main]: value }, [value, file, ...folders]);
      await expectIntact(repo);
      await expectFetched(repo, [top], [], [file, ...folders], 'As a tree that is wanted by its id, too.');
    },
  },
  {
    id: 'git/hostile/repeated-wants',
    requirements: ['GIT-060', 'GIT-066'],
    level: 'MUST',
    explanation: 'What is wanted and had a thousand times is sent once.',
    async run(t) {
      const base = change('base');
      const next = change('next', base);
      const repo = await repoWith(t, { [main]: next }, [...base.all, ...next.all]);
      const wants = Array<MadeObject>(1000).fill(next);
      const haves = Array<MadeObject>(1000).fill(base);
      await expectFetched(repo, wants, haves, next.all, 'The pack holds each object once.');
    },
  },
);
