import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { fetchFeatures } from '../../../tools/advertised.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { change, noObject, pack } from '../../../tools/made-objects.ts';
import { expectReport, refused, sameReport, taken } from '../../../tools/push-reports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { flush, packet, pushBody, remove, reportOf, set } from '../../../tools/wire-client.ts';
import { first, repoWithFirst, send } from './start.ts';

const nothing = Buffer.alloc(0);

export const gitReceivePackRequests: Suite = suite(
  {
    id: 'git/receive-pack/requests/no-commands',
    requirements: ['GIT-110'],
    level: 'MUST',
    explanation: 'A push without commands gets an empty reply.',
    async run(t) {
      const repo = await repoWithFirst(t);
      for (const body of [flush, Buffer.concat([packet(`shallow ${first.oid}\n`), flush])]) {
        const reply = await send(repo, body);
        same([reply.status, reply.body.toString()], [200, ''], 'Without commands there is nothing to report.');
      }
    },
  },
  {
    id: 'git/receive-pack/requests/shallow-lines',
    requirements: ['GIT-110', 'GIT-119'],
    level: 'MUST',
    explanation: 'Shallow lines may come before the commands.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/shallow';
      const body = Buffer.concat([packet(`shallow ${first.oid}\n`), pushBody([set(ref, first)], pack())]);
      same(reportOf((await send(repo, body)).body), taken(ref), 'A push of what is complete is taken.');
      assert.equal((await refsOf(repo))[ref], first.oid, 'The ref stands.');
    },
  },
  {
    id: 'git/receive-pack/requests/shallow-gap',
    requirements: ['GIT-119'],
    level: 'MUST',
    explanation: 'A push that lacks what is behind a shallow line of its client is refused for that.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/gap';
      const value = change('child', change('parent that nobody has'));
      const push = pushBody([set(ref, value)], pack(...value.all));
      const report = reportOf((await send(repo, Buffer.concat([packet(`shallow ${value.oid}\n`), push]))).body);
      same(await refsOf(repo), { 'refs/heads/main': first.oid }, 'No ref was made.');
      const features = await fetchFeatures(repo);
      if (!features.includes('shallow')) {
        t.unsupported(`shallow is not advertised: version 2 has ${features.join(', ') || 'no features of fetch'}`);
      }
      sameReport(repo, report, refused(ref, 'shallow update not allowed'), 'The reason names the shallow line.');
    },
  },
  {
    id: 'git/receive-pack/requests/malformed',
    requirements: ['GIT-110', 'GIT-016'],
    level: 'MUST',
    own: true,
    explanation: 'A line that is no command makes the request malformed: 400 with a reason.',
    async run(t) {
      const repo = await repoWithFirst(t);
      for (const line of [
        'x',
        `${first.oid} ${first.oid}`,
        `${first.oid} refs/heads/x`,
        `${noObject.slice(1)} ${first.oid} refs/heads/x`,
        `${noObject}  ${first.oid} refs/heads/x`,
      ]) {
        const reply = await send(repo, Buffer.concat([packet(`${line}\0report-status`), flush, pack()]));
        assert.equal(reply.status, 400, `"${line}" is no command.`);
        assert.match(reply.body.toString(), /^Malformed request: \S/, `"${line}" is answered with a reason.`);
      }
      same(Object.keys(await refsOf(repo)), ['refs/heads/main'], 'No ref was made.');
    },
  },
  {
    id: 'git/receive-pack/requests/empty-pack',
    requirements: ['GIT-111'],
    level: 'MUST',
    explanation: 'Where nothing new is needed a pack without objects will do, but no pack at all will not.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/empty-pack';
      const command = set(ref, first);
      const missing = ['unpack missing pack', `ng ${ref} unpacker error`];
      await expectReport(repo, [command], nothing, missing, 'Without a pack nothing is created.');
      assert.equal((await refsOf(repo))[ref], undefined, 'The ref was not made.');
      await expectReport(repo, [command], pack(), taken(ref), 'A pack without objects is a pack.');
      await expectReport(
        repo,
        [remove(ref, first), set('refs/heads/other', first)],
        nothing,
        [...missing, 'ng refs/heads/other unpacker error'],
        'One creation among deletes needs a pack.',
      );
      assert.equal((await refsOf(repo))[ref], first.oid, 'The delete beside it was not carried out either.');
    },
  },
  {
    id: 'git/receive-pack/requests/deletes',
    requirements: ['GIT-111', 'GIT-127'],
    level: 'MUST',
    explanation: 'Deletes need no pack, and bytes that come all the same are ignored.',
    async run(t) {
      const repo = await repoWithFirst(t);
      const ref = 'refs/heads/doomed';
      for (const bytes of [nothing, pack(), Buffer.from('PACK and nothing else'), Buffer.alloc(200_000, 1)]) {
        await accepted(repo, [set(ref, first)], pack());
        const what = `A delete with ${bytes.length} bytes behind it is carried out.`;
        await expectReport(repo, [remove(ref, first)], bytes, taken(ref), what);
        assert.equal((await refsOf(repo))[ref], undefined, 'The ref is gone at once.');
      }
    },
  },
);
