import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import {
  blob,
  change,
  commit,
  insertingDelta,
  made,
  pack,
  packEntry,
  packOfEntries,
  tree,
  type MadeObject,
} from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { expectReport, main, taken } from '../../../tools/push-reports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import {
  post,
  push,
  pushBody,
  readPackets,
  reportOf,
  set,
  type Command,
  type Remote,
} from '../../../tools/wire-client.ts';
import { pushWithOptions } from '../receive-pack/push-options.ts';
import { deltaChain, deltaStar, withFile } from './values.ts';
import { cheapPushes, only, smallPacks } from '../../../steps/settings.ts';

const first = change('first');

/** Returns the report and the messages of band 2, and expects nothing in band 3. */
async function attempt(
  repo: Remote,
  commands: readonly Command[],
  bytes: Uint8Array,
  words = '',
): Promise<{ report: string[]; told: string }> {
  const body = pushBody(commands, bytes, `report-status side-band-64k ${words}`);
  const { status, body: reply } = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  assert.equal(status, 200, 'A limit that is found while reading a pack is answered 200.');
  const bands = readPackets(reply).filter((read) => typeof read !== 'string');
  assert(!bands.some((band) => band[0] === 3), 'Band 3 is not used where a report can be made.');
  const told = bands.filter((band) => band[0] === 2).map((band) => band.subarray(1));
  return { report: reportOf(reply), told: Buffer.concat(told).toString() };
}

/** Expects that a push of this value is refused for this reason. `told`: the beginning of the `unpack` line. */
async function expectTooMuch(
  repo: Remote,
  value: MadeObject,
  bytes: Uint8Array,
  reason: string,
  told = reason,
): Promise<void> {
  const commands = [set('refs/tags/value', value)];
  const { report } = await attempt(repo, commands, bytes);
  assert.match(report[0] ?? '', new RegExp(`^unpack ${told}`), 'The unpack line begins with the reason.');
  same(report.slice(1), [`ng refs/tags/value ${reason}`], 'The command is refused for the same reason.');
  same(await refsOf(repo), {}, 'No ref was made.');
}

export const gitLimitsPacks: Suite = suite(
  {
    id: 'git/limits/packs/file',
    requirements: ['LIM-051', 'GIT-165', 'GIT-116'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'blob_max'),
    explanation:
      'A file that is too large is refused with its id, its size and the limit, in a sentence of band 2 too.',
    async run(t) {
      const repo = await t.createRepo();
      const { node, file, all } = withFile(noise(2001));
      const commands = [set(main, node), set('refs/heads/other', node)];
      const { report, told } = await attempt(repo, commands, pack(...all));
      same(
        report,
        [
          `unpack file too large: ${file.oid} (2001 bytes, limit 2000, blob_max)`,
          `ng ${main} file too large`,
          'ng refs/heads/other file too large',
        ],
        'Each command is refused.',
      );
      assert.match(told, /file too large/, 'Band 2 has a sentence about it.');
      const quiet = await attempt(repo, commands, pack(...all), 'quiet');
      same(quiet, { report, told: '' }, 'With quiet there is only the report.');
      same(await refsOf(repo), {}, 'No ref was made.');
      const fits = withFile(noise(2000));
      await accepted(repo, [set(main, fits.node)], pack(...fits.all));
      const huge = withFile(Buffer.alloc(32 * 2000 + 1));
      const [unpack] = (await attempt(repo, [set(main, huge.node, fits.node)], pack(...huge.all))).report;
      assert.match(unpack ?? '', /^unpack file too large:? \(64001 bytes, limit 2000, blob_max\)$/, 'It has no id.');
    },
  },
  {
    id: 'git/limits/packs/file-as-delta',
    requirements: ['LIM-051'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'blob_max'),
    explanation: 'A file that a delta makes too large is refused like any other.',
    async run(t) {
      const repo = await t.createRepo();
      const fits = withFile(noise(2000));
      const { node, file, all } = withFile(noise(2001));
      const delta = packEntry(7, insertingDelta(2000, file.body), Buffer.from(fits.file.oid, 'hex'));
      const rest = all.slice(0, 2).map(({ kind, body }) => packEntry(kind === 'commit' ? 1 : 2, body));
      const bytes = packOfEntries([packEntry(3, fits.file.body), delta, ...rest]);
      await expectTooMuch(repo, node, bytes, 'file too large');
    },
  },
  {
    id: 'git/limits/packs/object',
    requirements: ['LIM-056', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'object_max'),
    explanation: 'A tree that is too large is refused, with its size, the limit and the setting.',
    async run(t) {
      const repo = await t.createRepo();
      const names = Array.from({ length: 120 }, (_, i) => [`f${String(i).padStart(3, '0')}`, first.file] as const);
      const wide = tree(Object.fromEntries(names));
      const fits = tree(Object.fromEntries(names.slice(0, 93)));
      assert(fits.body.length <= 3000 && fits.body.length > 2900, 'The case made a tree just below the limit.');
      const told = `object too large: ${wide.body.length} bytes, limit 3000 \\(object_max\\)`;
      await expectTooMuch(repo, wide, pack(wide, first.file), 'object too large', told);
      await accepted(repo, [set('refs/tags/fits', fits)], pack(fits, first.file));
    },
  },
  {
    id: 'git/limits/packs/commit',
    requirements: ['LIM-066', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'commit_max'),
    explanation: 'A commit or tag that is too large is refused, with its size, the limit and the setting.',
    async run(t) {
      const repo = await t.createRepo();
      const toldOf = ({ kind, body }: MadeObject): string =>
        `${kind} too large: ${body.length} bytes, limit 2500 \\(commit_max\\)`;
      const long = commit('x'.repeat(2500), first.root);
      await expectTooMuch(repo, long, pack(long, first.root, first.file), 'commit too large', toldOf(long));
      const head = `object ${first.oid}\ntype commit\ntag t\ntagger A <a@x> 0 +0000`;
      const label = made('tag', `${head}\n\n${'x'.repeat(2500)}\n`);
      await expectTooMuch(repo, label, pack(label, ...first.all), 'tag too large', toldOf(label));
      const fits = commit('x'.repeat(2500 - commit('', first.root).body.length), first.root);
      assert.equal(fits.body.length, 2500, 'The case made a commit of just the limit.');
      await accepted(repo, [set(main, fits)], pack(fits, first.root, first.file));
    },
  },
  {
    id: 'git/limits/packs/commit-parents',
    requirements: ['LIM-067', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'commit_parents_max'),
    explanation: 'A commit with too many parents is refused, one with just as many as are allowed is not.',
    async run(t) {
      const repo = await t.createRepo();
      const roots = Array.from({ length: 5 }, (_, i) => commit(`root ${i}`, first.root));
      const rest = [...roots, first.root, first.file];
      const many = commit('merge', first.root, roots);
      const told = 'too many parents: 5, limit 4 \\(commit_parents_max\\)';
      await expectTooMuch(repo, many, pack(many, ...rest), 'too many parents', told);
      const some = commit('merge', first.root, roots.slice(1));
      await accepted(repo, [set(main, some)], pack(some, ...rest));
    },
  },
  {
    id: 'git/limits/packs/inflated',
    requirements: ['LIM-068', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(cheapPushes, 'push_inflated_max'),
    explanation: 'A push is refused once it has inflated, and made of deltas, more bytes than it may.',
    async run(t) {
      const repo = await t.createRepo();
      const star = deltaStar(100_000, 12);
      const told = 'push inflates to too much: \\d{7} bytes, limit 1000000 \\(push_inflated_max\\)';
      await expectTooMuch(repo, star.node, star.bytes, 'push inflates to too much', told);
      const small = deltaStar(100_000, 2);
      await accepted(repo, [set(main, small.node)], small.bytes);
      // 256 bytes for each byte of this pack are more than the limit.
      const bulky = deltaStar(100_000, 11, blob(noise(8000)));
      await accepted(repo, [set('refs/heads/bulky', bulky.node)], bulky.bytes);
    },
  },
  {
    id: 'git/limits/packs/chain-bytes',
    requirements: ['LIM-069', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(cheapPushes, 'delta_chain_max'),
    explanation: 'A chain of deltas is refused if reading its last object would make more bytes than it may.',
    async run(t) {
      const repo = await t.createRepo();
      const star = deltaStar(200_000, 1);
      const told = 'delta chain too large: 40\\d{4} bytes, limit 300000 \\(delta_chain_max\\)';
      await expectTooMuch(repo, star.node, star.bytes, 'delta chain too large', told);
      const small = deltaStar(100_000, 1);
      await accepted(repo, [set(main, small.node)], small.bytes);
    },
  },
  {
    id: 'git/limits/packs/graph',
    requirements: ['LIM-070', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(cheapPushes, 'push_graph_max'),
    explanation: 'A push whose history takes more than it may is refused, however few bytes tell it.',
    async run(t) {
      const repo = await t.createRepo();
      const files = Array.from({ length: 120 }, (_, i) => made('blob', `file ${i}`));
      const root = tree(Object.fromEntries(files.map((file, i) => [`f${String(i).padStart(3, '0')}`, file] as const)));
      const wide = commit('wide', root);
      await accepted(repo, [set(main, wide)], pack(wide, root, ...files));
      // A commit without a parent introduces all files again.
      const orphan = commit('orphan', root);
      const report = await push(repo, [set('refs/heads/orphan', orphan)], pack(orphan));
      assert.match(report[0] ?? '', /^unpack history too large: graph of \d+ bytes, limit \d+ \(push_graph_max\)$/);
      same(report.slice(1), ['ng refs/heads/orphan history too large'], 'The command is refused for the same reason.');
    },
  },
  {
    id: 'git/limits/packs/delta-depth',
    requirements: ['LIM-062', 'GIT-165', 'GIT-118'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'delta_depth_max'),
    explanation: 'Chains of deltas up to the limit are taken, a longer one is not.',
    async run(t) {
      const repo = await t.createRepo();
      const deep = deltaChain(4, 'deep');
      const told = 'delta chain too deep: 4 deltas, limit 3 \\(delta_depth_max\\)$';
      await expectTooMuch(repo, deep.node, deep.bytes, 'delta chain too deep', told);
      const fine = deltaChain(3, 'fine');
      await accepted(repo, [set(main, fine.node)], fine.bytes);
    },
  },
  {
    id: 'git/limits/packs/commands',
    requirements: ['LIM-054', 'GIT-165'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'push_commands_max'),
    explanation: 'Of a push with more commands than allowed all are refused, with the limit and the setting.',
    async run(t) {
      const repo = await t.createRepo();
      const commands = Array.from({ length: 4 }, (_, i) => set(`refs/heads/b${i}`, first));
      const expected = [
        'unpack too many ref updates: limit 3 (push_commands_max)',
        ...commands.map(({ ref }) => `ng ${String(ref)} too many ref updates`),
      ];
      await expectReport(repo, commands, pack(...first.all), expected, 'Four are one too many.');
      const long = ['x', 'y'].map((letter) => set(`refs/heads/${letter.repeat(40_000)}`, first));
      const told = 'unpack too many ref updates: limit 65536 bytes (push_commands_max)';
      same((await push(repo, long, pack()))[0], told, 'So are two whose lines have more than 65,536 bytes.');
      same(await refsOf(repo), {}, 'No ref was made.');
      await accepted(repo, commands.slice(1), pack(...first.all));
    },
  },
  {
    id: 'git/limits/packs/push-options',
    requirements: ['LIM-058'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(smallPacks, 'push_options_max', 'push_option_bytes_max'),
    explanation: 'Settings bound the push options.',
    async run(t) {
      const repo = await t.createRepo();
      const outcome = async (...options: readonly string[]): Promise<string | undefined> =>
        (await pushWithOptions(repo, options))[0];
      const refused =
        'unpack too many push options: limit 2 (push_options_max) of 10 bytes each (push_option_bytes_max)';
      assert.equal(await outcome('1', '2', '3'), refused, 'Three are too many.');
      assert.equal(await outcome('12345678901'), refused, 'Eleven bytes are too many.');
      assert.equal(await outcome('1234567890', '2'), 'unpack ok', 'Two of ten bytes are not.');
    },
  },
  {
    id: 'git/limits/packs/default-file',
    requirements: ['LIM-051'],
    level: 'MUST',
    own: true,
    explanation: 'By default a file of more than 33,554,432 bytes is refused.',
    async run(t) {
      const { node, file, all } = withFile(Buffer.alloc(33_554_433));
      const repo = await t.createRepo();
      const [unpack = '', ...results] = await push(repo, [set(main, node)], pack(...all));
      assert.match(unpack, new RegExp(`^unpack file too large: ${file.oid} \\(33554433 bytes, limit 33554432\\b`));
      same(results, [`ng ${main} file too large`], 'One byte more is refused, however small its pack is.');
    },
  },
  {
    id: 'git/limits/packs/default-commits',
    requirements: ['LIM-066', 'LIM-067'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'By default a commit of more than 1,048,576 bytes is refused, and one with more than 1,024 parents.',
    async run(t) {
      const repo = await t.createRepo();
      const long = commit('x'.repeat(1_048_577 - commit('', first.root).body.length), first.root);
      const tooLong = 'commit too large: 1048577 bytes, limit 1048576 \\(commit_max\\)$';
      await expectTooMuch(repo, long, pack(long, first.root, first.file), 'commit too large', tooLong);
      const wide = (count: number): MadeObject => commit('merge', first.root, Array<MadeObject>(count).fill(first));
      const tooWide = 'too many parents: 1025, limit 1024 \\(commit_parents_max\\)$';
      await expectTooMuch(repo, wide(1025), pack(wide(1025), ...first.all), 'too many parents', tooWide);
      await accepted(repo, [set(main, wide(1024))], pack(wide(1024), ...first.all));
    },
  },
  {
    id: 'git/limits/packs/default-delta-depth',
    requirements: ['LIM-062', 'GIT-118'],
    level: 'MUST',
    own: true,
    explanation: 'By default a chain of 4,095 deltas is taken, and one of 4,096 is not.',
    async run(t) {
      const repo = await t.createRepo();
      const deep = deltaChain(4096, 'deep');
      await expectTooMuch(repo, deep.node, deep.bytes, 'delta chain too deep');
      const fine = deltaChain(4095, 'fine');
      await expectReport(repo, [set(main, fine.node)], fine.bytes, taken(main), 'A chain of just the limit is taken.');
    },
  },
  {
    id: 'git/limits/packs/default-commands',
    requirements: ['LIM-054'],
    level: 'MUST',
    own: true,
    explanation: 'By default more than 10,000 commands in one push are refused.',
    async run(t) {
      const repo = await t.createRepo();
      const commands = Array.from({ length: 10_001 }, (_, i) => set(`refs/heads/b${i}`, first));
      const report = await push(repo, commands, pack(...first.all));
      const expected = [
        'unpack too many ref updates: limit 10000 (push_commands_max)',
        'ng refs/heads/b0 too many ref updates',
      ];
      same(report.slice(0, 2), expected, 'It is told.');
      assert.equal(report.length, 10_002, 'Each command is refused.');
      same(await refsOf(repo), {}, 'No ref was made.');
    },
  },
);
