import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { TestRepo } from '../../../core/context.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { pack } from '../../../tools/made-objects.ts';
import { same } from '../../../tools/same.ts';
import { set } from '../../../tools/wire-client.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { traced } from '../../../steps/work-tree.ts';
import { apart, ask, at, between, idsIn, repoWithHistory, split, tip, unknown } from './history.ts';

const haves = [unknown, at(1).oid, at(3).oid];

/** Git lets a server go on while the client has commits that it does not know. */
function havesFor({ foreign }: Pick<TestRepo, 'foreign'>): string[] {
  return foreign === true ? haves.slice(1) : haves;
}

const [one, three] = [at(1).oid, at(3).oid];
const empty = Buffer.alloc(0);

const modes = [
  { name: 'plain', words: '', flushed: [`ACK ${one}`], done: [`ACK ${one}`] },
  {
    name: 'multi-ack',
    words: 'multi_ack',
    flushed: [`ACK ${one} continue`, `ACK ${three} continue`, 'NAK'],
    done: [`ACK ${one} continue`, `ACK ${three} continue`, `ACK ${three}`],
  },
  {
    name: 'multi-ack-detailed',
    words: 'multi_ack multi_ack_detailed',
    flushed: [`ACK ${one} common`, `ACK ${three} common`, `ACK ${three} ready`, 'NAK'],
    done: [`ACK ${one} common`, `ACK ${three} common`, `ACK ${three}`],
  },
] as const;

export const gitUploadPackNegotiation: Suite = suite(
  ...modes.map(({ name, words, flushed, done }): Case => ({
    id: `git/upload-pack/negotiation/${name}`,
    requirements: ['GIT-062', 'GIT-063'],
    level: 'MUST',
    explanation: `With the capabilities "${words}" common objects are acknowledged as Git documents it.`,
    async run(t) {
      const repo = await repoWithHistory(t);
      const waiting = split(await ask(repo, [tip.oid], havesFor(repo), words, 'flush'));
      same(waiting, { lines: flushed, pack: empty }, 'A flush after the haves gets acknowledgements and no pack.');
      const nothing = split(await ask(repo, [tip.oid], [unknown], words, 'flush'));
      same(nothing, { lines: ['NAK'], pack: empty }, 'Without anything common a flush gets NAK and no pack.');
      const reply = split(await ask(repo, [tip.oid], haves, words, 'done'));
      same(reply.lines, done, 'After done come the acknowledgements.');
      same(idsIn(reply.pack, at(3)), idsOf(between(4, 5)), 'The pack holds what is not common.');
      const whole = split(await ask(repo, [tip.oid], [unknown], words, 'done'));
      same(whole.lines, ['NAK'], 'Without anything common done gets NAK.');
      same(idsIn(whole.pack), idsOf(between(0, 5)), 'Without anything common the pack holds everything.');
    },
  })),
  {
    id: 'git/upload-pack/negotiation/no-done',
    requirements: ['GIT-062', 'GIT-063', 'GIT-064'],
    level: 'MUST',
    explanation: 'With no-done the pack follows ready in the same reply, and not before every want is covered.',
    async run(t) {
      const repo = await repoWithHistory(t);
      const words = 'multi_ack_detailed no-done';
      const ready = split(await ask(repo, [tip.oid], havesFor(repo), words, 'flush'));
      same(
        ready.lines,
        [`ACK ${one} common`, `ACK ${three} common`, `ACK ${three} ready`, 'NAK', `ACK ${three}`],
        'Ready is followed by NAK, the last common object, and the pack.',
      );
      same(idsIn(ready.pack, at(3)), idsOf(between(4, 5)), 'The pack holds what is not common.');
      const waiting = split(await ask(repo, [tip.oid, apart.oid], haves, words, 'flush'));
      same(
        waiting,
        { lines: [`ACK ${one} common`, `ACK ${three} common`, 'NAK'], pack: empty },
        'While one want reaches nothing common there is neither ready nor a pack.',
      );
    },
  },
  ...['0', '1', '2'].map((version): Case => ({
    id: `git/upload-pack/negotiation/stock-git-${version}`,
    requirements: ['GIT-062', 'GIT-064', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    explanation: `Stock git with protocol.version ${version} finds what it shares, beside commits of its own.`,
    async run(t) {
      const main = 'refs/heads/main';
      const repo = await repoWith(t, { [main]: at(3) }, between(0, 3));
      const work = join(await t.folder(), 'work');
      await t.git(['init', '--quiet', work]);
      await t.git([...repo.auth, 'fetch', '--quiet', '--no-tags', repo.remote, 'main'], { cwd: work });
      await t.git(['reset', '--quiet', '--hard', 'FETCH_HEAD'], { cwd: work });
      await t.git(['commit', '--quiet', '--allow-empty', '-m', 'own'], { cwd: work });
      await accepted(repo, [set(main, tip, at(3))], pack(...between(4, 5)));
      const fetch = ['-c', `protocol.version=${version}`, ...repo.auth, 'fetch', repo.remote, 'main'];
      const { status, stderr, received } = await traced(t, fetch, work);
      assert.equal(status, 0, `The fetch succeeds: ${stderr.slice(-2000)}`);
      assert.ok(
        received.some((packet) => packet.startsWith(`ACK ${three}`)),
        'The service acknowledges the newest commit of both.',
      );
      assert.equal((await t.git(['rev-parse', 'FETCH_HEAD'], { cwd: work })).trim(), tip.oid, 'The tip was fetched.');
      await t.git(['fsck', '--full', '--strict'], { cwd: work });
    },
  })),
);
