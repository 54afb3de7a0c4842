import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { expectReport, refused, sameReport, taken } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { linesOf, readPackets, remove, reportOf, set } from '../../../tools/wire-client.ts';
import { first, repoWithFirst, sendPush } from './start.ts';

export const gitReceivePackReport: Suite = suite(
  {
    id: 'git/receive-pack/report/order',
    requirements: ['GIT-112', 'GIT-152'],
    level: 'MUST',
    explanation: 'The report has the commands in their order, each with its outcome.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const second = change('second', first);
      const commands = [
        set('refs/heads/z', first),
        set('refs/heads/main', second, second),
        set('HEAD', first),
        set('refs/heads/a', second),
      ];
      await expectReport(
        repo,
        commands,
        pack(...second.all),
        ['unpack ok', 'ok refs/heads/z', 'ng refs/heads/main stale ref', 'ng HEAD funny refname', 'ok refs/heads/a'],
        'Each command has one line, where it stood in the request.',
      );
    },
  },
  {
    id: 'git/receive-pack/report/plain',
    requirements: ['GIT-112'],
    level: 'MUST',
    explanation: 'Without side-band the report comes as it is and ends with a flush.',
    async run(t) {
      const repo = await repoWithFirst(t);
      for (const form of ['report-status', 'report-status-v2', 'report-status report-status-v2']) {
        const ref = `refs/heads/plain-${form.replaceAll(' ', '-')}`;
        const lines = linesOf(await sendPush(repo, [set(ref, first)], form));
        same(lines, [...taken(ref), 'flush'], `A success is reported to who asks for ${form}.`);
      }
      const ref = 'refs/heads/x..y';
      const lines = linesOf(await sendPush(repo, [set(ref, first)], 'report-status'));
      assert.equal(lines.at(-1), 'flush', 'A refusal ends with a flush.');
      sameReport(repo, lines.slice(0, -1), refused(ref, 'funny refname'), 'It is reported in the same form.');
    },
  },
  {
    id: 'git/receive-pack/report/none',
    requirements: ['GIT-112'],
    level: 'MUST',
    explanation: 'If no report was asked for, updates are applied and nothing is told.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/untold';
      const reply = await sendPush(repo, [set(ref, first)], 'ofs-delta');
      same(reply.toString(), '', 'Nothing is told.');
      assert.equal((await refsOf(repo))[ref], first.oid, 'The ref was made all the same.');
      const banded = linesOf(await sendPush(repo, [remove(ref, first)], 'side-band-64k'));
      same(
        banded.filter((line) => line !== '1:'),
        ['flush'],
        'With side-band-64k only the flush comes.',
      );
      assert.equal((await refsOf(repo))[ref], undefined, 'The ref was deleted all the same.');
    },
  },
  {
    id: 'git/receive-pack/report/side-band',
    requirements: ['GIT-113'],
    level: 'MUST',
    explanation: 'With side-band-64k the report travels in band 1 with a flush of its own, and a flush ends the reply.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/banded';
      const packets = readPackets(await sendPush(repo, [set(ref, first)], 'report-status side-band-64k'));
      assert.equal(packets.at(-1), 'flush', 'A flush ends the reply.');
      const bands = packets.slice(0, -1).map((read) => Buffer.from(read));
      const parts = bands.filter((band) => band[0] === 1).map((band) => band.subarray(1));
      same(linesOf(Buffer.concat(parts)), [...taken(ref), 'flush'], 'Band 1 carries the report with its own flush.');
    },
  },
  {
    id: 'git/receive-pack/report/long',
    requirements: ['GIT-113', 'GIT-069'],
    level: 'MUST',
    explanation: 'A report that is larger than a packet is cut into several of at most 65,520 bytes.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const commands = Array.from({ length: 350 }, (_, i) => set(`refs/heads/${'long'.repeat(50)}/${i}`, first));
      const packets = readPackets(await sendPush(repo, commands, 'report-status side-band-64k'));
      const bands = packets.filter((read): read is Buffer => typeof read !== 'string' && read[0] === 1);
      assert(
        bands.every(({ length }) => length + 4 <= 65_520),
        'No packet is larger than 65,520 bytes.',
      );
      assert(bands.filter(({ length }) => length > 1).length > 1, 'The report takes more than one packet.');
      same(
        linesOf(Buffer.concat(bands.map((band) => band.subarray(1)))),
        [...taken(...commands.map(({ ref }) => ref)), 'flush'],
        'Together they are the whole report.',
      );
    },
  },
  {
    id: 'git/receive-pack/report/version-2',
    requirements: ['GIT-115'],
    level: 'MUST',
    beyond: true,
    explanation: 'A report of version 2 has no option lines where what was asked for is what was done.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/v2';
      const words = 'side-band-64k object-format=sha1';
      const two = reportOf(await sendPush(repo, [set(ref, first)], `report-status-v2 ${words}`));
      same(two, taken(ref), 'The report has no more lines than in version 1.');
    },
  },
  {
    id: 'git/receive-pack/report/unpack-failed',
    requirements: ['GIT-114', 'GIT-142'],
    level: 'MUST',
    explanation: 'When unpacking fails every command is refused, no ref changes, and the pack is not kept.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const value = change('broken', first);
      const broken = pack(...value.all);
      broken.writeUInt8((broken.at(-1) as number) ^ 1, broken.length - 1);
      const commands = [set('refs/heads/b1', first), remove('refs/heads/main', first), set('refs/heads/b2', value)];
      const expected = [
        'unpack pack checksum mismatch',
        ...commands.map(({ ref }) => `ng ${ref.toString()} unpacker error`),
      ];
      await expectReport(repo, commands, broken, expected, 'Every command is refused, deletes too.');
      same(await refsOf(repo), { 'refs/heads/main': first.oid }, 'The refs are as before.');
      if (repo.foreign === true) return;
      const missing = refused('refs/heads/b2', 'missing necessary objects');
      await expectReport(repo, [set('refs/heads/b2', value)], pack(), missing, 'Nothing of the pack was kept.');
    },
  },
  {
    id: 'git/receive-pack/report/quiet',
    requirements: ['GIT-116'],
    level: 'MUST',
    beyond: true,
    needs: ['control plane'],
    explanation: 'Quiet stops band 2, which never carries a secret.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const bad = Buffer.from('no pack');
      const words = 'report-status side-band-64k';
      const quiet = readPackets(await sendPush(repo, [set('refs/heads/loud', first)], `${words} quiet`, bad));
      const bands = quiet.flatMap((read) => (typeof read === 'string' ? [] : [read[0]]));
      same([...new Set(bands)], [1], 'With quiet there is band 1 alone.');
      const loud = (await sendPush(repo, [set('refs/heads/loud', first)], words, bad)).toString('latin1');
      assert(!loud.includes(repo.token.split('?')[0] as string), 'The reply does not hold the token.');
      assert(!loud.includes(t.apiToken), 'The reply does not hold the API token.');
      assert.doesNotMatch(loud, /\n\s+at |node_modules|file:\/\/|\.[jt]s:\d/, 'The reply shows nothing of the code.');
    },
  },
);
