/** GIT-048 and GIT-050 of docs/specification/git.md: requests for features that were not advertised. */

import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, noObject, pack } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import {
  commandBody,
  fetchBody,
  flush,
  linesOf,
  packet,
  post,
  push,
  pushBody,
  remove,
  reportOf,
  set,
  uploadBody,
} from '../../../tools/wire-client.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

export const gitAdvertisementRefusals: Suite = suite(
  {
    id: 'git/advertisement/unknown-capability-version-2',
    requirements: ['GIT-048'],
    level: 'MUST',
    own: true,
    explanation: 'Version 2 refuses a capability that was not advertised, by its name.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const word of ['none-such=x', 'session', 'filter']) {
        const { body } = await post(repo, commandBody('ls-refs', [], [word]));
        same(linesOf(body), [`ERR unknown capability '${word.split('=')[0]}'`], `${word} was not advertised.`);
      }
    },
  },
  {
    id: 'git/advertisement/unknown-capability-ignored',
    requirements: ['GIT-048'],
    level: 'MUST',
    explanation: 'Versions 0 and 1 and receive-pack ignore a capability that was not advertised.',
    async run(t) {
      const repo = await plainRepo(t);
      const words = 'ofs-delta none-such allow-any-sha1-in-want x=y';
      for (const version of [0, 1] as const) {
        const { status, body } = await post(repo, uploadBody([first.oid], [], words), { version });
        same([status, body.toString('latin1', 0, 12)], [200, '0008NAK\nPACK'], 'The pack comes all the same.');
      }
      const ref = 'refs/heads/ignored';
      const made = await push(repo, [set(ref, first)], pack(), 'none-such x=y no-thin');
      same(made, ['unpack ok', `ok ${ref}`], 'The push is accepted all the same.');
      const gone = await push(repo, [remove(ref, first)], undefined, 'none-such');
      same(gone, ['unpack ok', `ok ${ref}`], 'So is a delete.');
    },
  },
  {
    id: 'git/advertisement/push-certificate',
    requirements: ['GIT-048'],
    level: 'MUST',
    own: true,
    explanation: 'A push certificate is refused in the report, since nobody checks it.',
    async run(t) {
      const repo = await plainRepo(t);
      const certificate = [
        'certificate version 0.1\n',
        'pusher ada\n',
        'nonce x\n',
        '\n',
        `${noObject} ${first.oid} refs/heads/signed\n`,
        '-----BEGIN PGP SIGNATURE-----\n',
        'x\n',
        '-----END PGP SIGNATURE-----\n',
        'push-cert-end\n',
      ];
      const start = packet('push-cert\0report-status side-band-64k\n');
      const body = Buffer.concat([start, ...certificate.map((line) => packet(line)), flush, pack()]);
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      same(
        reportOf(reply.body),
        ['unpack push certificates are not supported', 'ng refs/heads/signed unpacker error'],
        'The report says that certificates are not supported.',
      );
    },
  },
  {
    id: 'git/advertisement/object-formats',
    requirements: ['GIT-050', 'GIT-163'],
    level: 'MUST',
    own: true,
    explanation: 'A client of another object format is refused with its name, in every service and version.',
    async run(t) {
      const repo = await plainRepo(t);
      const long = '1'.repeat(64);
      const refused = async (body: Buffer, version: 0 | 1 | 2, name: string): Promise<void> => {
        const reply = linesOf((await post(repo, body, { version })).body);
        same(reply, [`ERR unsupported object format '${name}'`], `Version ${version} refuses ${name}.`);
      };
      for (const name of ['sha256', 'md5']) {
        await refused(commandBody('ls-refs', [], [`object-format=${name}`]), 2, name);
        for (const version of [0, 1] as const)
          await refused(uploadBody([first.oid], [], `object-format=${name}`), version, name);
      }
      await refused(fetchBody([long], []), 2, 'sha256');
      await refused(fetchBody([first.oid], [long]), 2, 'sha256');
      await refused(uploadBody([long], [], ''), 0, 'sha256');
      await refused(uploadBody([first.oid], [long], ''), 0, 'sha256');
      const command = { old: '0'.repeat(64), new: long, ref: 'refs/heads/long' };
      const body = pushBody([command], pack(), 'report-status side-band-64k');
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      same(
        reportOf(reply.body),
        ["unpack unsupported object format 'sha256'", 'ng refs/heads/long unpacker error'],
        'A push of long ids is told so in its report.',
      );
    },
  },
);
