/** GIT-123 and GIT-125 to GIT-128 of docs/specification/git.md: the targets of refs, and how refs change. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { blob, change, noObject, pack, tag } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { discover, listedRefs, push, remove, set, type Command } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const third = change('third', second);
const fork = change('fork', first);
const lone = blob('lone\n');
const annotated = tag('v1', first);
const commits = [first, second, third, fork];
const everything = [...commits.flatMap(({ all }) => all), lone, annotated];

/** Creates a repo with `refs/heads/main` at the first commit, which also holds all other objects. */
function repoOfAll(t: Context): Promise<TestRepo> {
  const refs = {
    'refs/heads/main': first,
    'refs/keep/third': third,
    'refs/keep/fork': fork,
    'refs/keep/blob': lone,
    'refs/keep/tag': annotated,
  };
  return repoWith(t, refs, everything);
}

/** One command of a random push, over few names and values, so that they collide. */
interface Move {
  readonly name: string;
  /** Undefined: the current value of the ref, since otherwise hardly any command would succeed. */
  readonly old: string | undefined;
  readonly next: string;
}

const value = fc.constantFrom(noObject, ...commits.map(({ oid }) => oid));
const move: fc.Arbitrary<Move> = fc.record({
  name: fc.constantFrom('a', 'b', 'c/d'),
  old: fc.option(value, { nil: undefined, freq: 2 }),
  next: value,
});
const pushes = fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

/** Returns true for the first command of a ref. Git leaves open what becomes of a second one. */
function isFirst({ name }: Move, at: number, moves: readonly Move[]): boolean {
  return moves.findIndex((other) => other.name === name) === at;
}

/** Applies a push to refs by the rules of the specification. Returns the report of each command. */
function apply(refs: Map<string, string>, commands: readonly Command[]): string[] {
  const done: Command[] = [];
  const report = commands.map((command) => {
    const ref = command.ref as string;
    if (commands.filter((other) => other.ref === ref).length > 1) return `ng ${ref} multiple updates for one ref`;
    if ((refs.get(ref) ?? noObject) !== command.old) return `ng ${ref} stale ref`;
    done.push(command);
    return `ok ${ref}`;
  });
  for (const { ref, new: next } of done) {
    if (next === noObject) refs.delete(ref as string);
    else refs.set(ref as string, next);
  }
  return report;
}

export const gitRefsUpdates: Suite = suite(
  {
    id: 'git/refs/kinds-of-values',
    requirements: ['GIT-123'],
    level: 'MUST',
    explanation: 'Branches point to commits alone, other refs to any object.',
    async run(t) {
      const repo = await repoOfAll(t);
      for (const object of [annotated, first.root, lone]) {
        sameReport(
          repo,
          await push(repo, [set('refs/heads/value', object), set('refs/tags/value', object)], pack()),
          ['unpack ok', 'ng refs/heads/value not a commit', 'ok refs/tags/value'],
          `A branch does not point to a ${object.kind}, a tag may.`,
        );
        await accepted(repo, [remove('refs/tags/value', object)]);
      }
      const { 'refs/heads/value': branch } = await listedRefs(repo);
      assert.equal(branch, undefined, 'The branch was never made.');
    },
  },
  {
    id: 'git/refs/stale',
    requirements: ['GIT-125'],
    level: 'MUST',
    explanation: 'A command whose old value is not the current one is stale: creating, moving and deleting alike.',
    async run(t) {
      const repo = await repoOfAll(t);
      const ref = 'refs/heads/cas';
      await accepted(repo, [set(ref, first)], pack());
      for (const command of [
        set(ref, second),
        set(ref, second, third),
        remove(ref, second),
        set('refs/heads/none', second, first),
        remove('refs/heads/none', first),
      ]) {
        sameReport(
          repo,
          await push(repo, [command], pack()),
          ['unpack ok', `ng ${command.ref as string} stale ref`],
          `The old value ${command.old.slice(0, 7)} is not the current one.`,
        );
      }
      assert.equal((await listedRefs(repo))[ref], first.oid, 'The ref is where it was.');
      await accepted(repo, [set(ref, second, first)], pack());
    },
  },
  {
    id: 'git/refs/no-change',
    requirements: ['GIT-125', 'GIT-159', 'REPO-057'],
    level: 'MUST',
    beyond: true,
    needs: ['control plane'],
    explanation: 'A command that changes nothing is ok, and no push was made as far as the record tells.',
    async run(t) {
      const repo = await t.createRepo();
      const record = async (): Promise<Record<string, unknown>> =>
        (await t.rest('GET', `/namespaces/${repo.namespace}/repos/${repo.name}`)).json.result;
      assert.equal((await record())['last_push_at'], null, 'There was no push yet.');
      await accepted(repo, [set('refs/heads/main', first)], pack(...first.all));
      const pushed = await record();
      await accepted(repo, [set('refs/heads/main', first, first)], pack());
      await accepted(repo, [{ old: noObject, new: noObject, ref: 'refs/heads/none' }]);
      await push(repo, [set('refs/heads/x', first, second)], pack());
      same(await record(), pushed, 'Neither what was empty nor what was refused shows.');
    },
  },
  {
    id: 'git/refs/twice-in-one-push',
    requirements: ['GIT-128'],
    level: 'MUST',
    own: true,
    explanation: 'Two commands for one ref are refused both, whatever they do; the others are not.',
    async run(t) {
      const repo = await repoOfAll(t);
      const twice = (ref: string): string => `ng ${ref} multiple updates for one ref`;
      const [a, b, main] = ['refs/heads/a', 'refs/heads/b', 'refs/heads/main'] as const;
      sameReport(
        repo,
        await push(repo, [set(a, first), set(b, first), set(a, second)], pack()),
        ['unpack ok', twice(a), `ok ${b}`, twice(a)],
        'Two creations of one ref.',
      );
      sameReport(
        repo,
        await push(repo, [remove(main, first), set(main, second)], pack()),
        ['unpack ok', twice(main), twice(main)],
        'A delete and a creation.',
      );
      const refs = await listedRefs(repo);
      same([refs[a], refs[b], refs[main]], [undefined, first.oid, first.oid], 'Only the one between was made.');
    },
  },
  {
    id: 'git/refs/forced',
    requirements: ['GIT-126'],
    level: 'MUST',
    explanation: 'A write token may move a ref back, aside and away, also the default branch.',
    async run(t) {
      const repo = await repoOfAll(t);
      const ref = 'refs/heads/main';
      for (const [old, next] of [
        [first, third],
        [third, first],
        [first, fork],
        [fork, second],
      ] as const) {
        await accepted(repo, [set(ref, next, old)], pack());
        assert.equal((await listedRefs(repo))[ref], next.oid, 'The ref was moved.');
      }
      await accepted(repo, [remove(ref, second)]);
      assert.equal((await listedRefs(repo))[ref], undefined, 'The ref was deleted.');
    },
  },
  {
    id: 'git/refs/deleted',
    requirements: ['GIT-127'],
    level: 'MUST',
    explanation: 'A deleted ref is gone from every reply at once.',
    async run(t) {
      const gone = change('gone', first);
      const refs = { 'refs/heads/main': first, 'refs/heads/gone': gone };
      const repo = await repoWith(t, refs, [...first.all, ...gone.all]);
      await accepted(repo, [remove('refs/heads/gone', gone)]);
      same(Object.keys(await listedRefs(repo)), ['HEAD', 'refs/heads/main'], 'Version 2 does not list it.');
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        for (const version of [0, 1] as const) {
          const { body } = await discover(repo, { service, version });
          assert.ok(!body.includes('refs/heads/gone'), `${service} does not list it in version ${version}.`);
          assert.ok(!body.includes(gone.oid), `${service} does not list its value in version ${version}.`);
        }
      }
      sameReport(
        repo,
        await push(repo, [remove('refs/heads/gone', gone)]),
        ['unpack ok', 'ng refs/heads/gone stale ref'],
        'It cannot be deleted again.',
      );
    },
  },
  {
    id: 'git/refs/random-updates',
    requirements: ['GIT-125', 'GIT-128', 'GIT-152'],
    level: 'MUST',
    explanation: 'Random pushes of several commands do to the refs, and report, what a model of the rules says.',
    async run(t) {
      const repo = await repoOfAll(t);
      let runs = 0;
      const agrees = fc.asyncProperty(pushes, async (sequence) => {
        // Each run has new refs, so that shrinking can try shorter sequences.
        const folder = `refs/run-${runs++}/`;
        const refs = new Map<string, string>();
        for (const moves of sequence) {
          const allowed = repo.foreign === true ? moves.filter(isFirst) : moves;
          const written = allowed.map(({ name, old, next }) => {
            const ref = folder + name;
            return { ref, old: old ?? refs.get(ref) ?? noObject, new: next };
          });
          // Stock Git takes a command that deletes a ref which is not there.
          const isNothing = (one: (typeof written)[number]): boolean => one.old === noObject && one.new === noObject;
          const commands = repo.foreign === true ? written.filter((one) => !isNothing(one)) : written;
          if (commands.length === 0) continue;
          const report = await push(repo, commands, pack());
          sameReport(repo, report, ['unpack ok', ...apply(refs, commands)], 'The report is the one of the model.');
          const listed = Object.entries(await listedRefs(repo)).filter(([name]) => name.startsWith(folder));
          same(Object.fromEntries(listed), Object.fromEntries(refs), 'The refs are those of the model.');
        }
      });
      await fc.assert(agrees, { seed: t.seed, numRuns: 8 });
    },
  },
);
