import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { checksumFits } from '../../../tools/taken-pack.ts';
import { linesOf, readPackets, type Remote } from '../../../tools/wire-client.ts';
import { ask, idsIn, split } from './history.ts';
import type { Context } from '../../../core/context.ts';

/** Larger than several packets. */
const large = change(noise(200_000).toString('base64'));

function repoWithLarge(t: Context): Promise<Remote> {
  return repoWith(t, { 'refs/heads/main': large }, large.all);
}

function reply(repo: Remote, words: string): Promise<Buffer> {
  return ask(repo, [large.oid], [], words);
}

const forms = [
  ['side-band-64k', 65_520],
  ['side-band', 1000],
] as const;

export const gitUploadPackMultiplexing: Suite = suite(
  ...forms.map(([form, most]): Case => ({
    id: `git/upload-pack/multiplexing/${form}`,
    requirements: ['GIT-069'],
    level: 'MUST',
    explanation: `With ${form} the pack travels in packets of band 1 of at most ${most} bytes, and a flush ends it.`,
    async run(t) {
      const repo = await repoWithLarge(t);
      for (const more of ['', ' ofs-delta']) {
        const packets = readPackets(await reply(repo, `${form} no-progress${more}`));
        assert.equal(packets[0]?.toString(), 'NAK\n', 'The reply begins with NAK.');
        assert.equal(packets.at(-1), 'flush', 'A flush ends the stream.');
        const bands = packets.slice(1, -1).map((read) => Buffer.from(read));
        same([...new Set(bands.map((band) => band[0]))], [1], 'Without progress there is band 1 alone.');
        const sizes = bands.map(({ length }) => length + 4);
        assert(Math.max(...sizes) <= most, `No packet has more than ${most} bytes, but one has ${Math.max(...sizes)}.`);
        const got = Buffer.concat(bands.map((band) => band.subarray(1)));
        same(idsIn(got), idsOf(large.all), 'The pack is whole.');
      }
    },
  })),
  {
    id: 'git/upload-pack/multiplexing/none',
    requirements: ['GIT-069'],
    level: 'MUST',
    explanation: 'Without side-band the pack follows raw, with nothing behind its trailer.',
    async run(t) {
      const { lines, pack } = split(await reply(await repoWithLarge(t), 'no-progress'));
      same(lines, ['NAK'], 'Only NAK comes before the pack.');
      assert(checksumFits(pack), 'The last 20 bytes of the reply are the SHA-1 of the pack.');
      same(idsIn(pack), idsOf(large.all), 'The pack is whole.');
    },
  },
  {
    id: 'git/upload-pack/multiplexing/both',
    requirements: ['GIT-069'],
    level: 'MUST',
    own: true,
    explanation: 'Who asks for both forms of side-band is refused.',
    async run(t) {
      same(
        linesOf(await reply(await repoWithLarge(t), 'side-band side-band-64k')),
        ['ERR side-band and side-band-64k are exclusive'],
        'The two forms exclude each other.',
      );
    },
  },
  {
    id: 'git/upload-pack/multiplexing/progress',
    requirements: ['GIT-070'],
    level: 'MUST',
    explanation: 'Progress travels in band 2, and not at all where no-progress is asked for.',
    async run(t) {
      const repo = await repoWithLarge(t);
      const bands = async (words: string): Promise<unknown[]> => {
        const [, ...packets] = readPackets(await reply(repo, words));
        return [...new Set(packets.flatMap((read) => (typeof read === 'string' ? [] : [read[0]])))].sort();
      };
      for (const [form] of forms) {
        const loud = await bands(form);
        assert(loud.includes(1) && !loud.includes(3), `With ${form} the pack comes in band 1 and nothing fails.`);
        same(await bands(`${form} no-progress`), [1], `With ${form} and no-progress there is band 1 alone.`);
      }
      same(split(await reply(repo, '')).lines, ['NAK'], 'Without side-band there is no progress.');
    },
  },
);
