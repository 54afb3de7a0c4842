import { packet } from '@packhouse/fixtures/hostile';
import { openTemporaryService } from '../../service/temporary-service.ts';
import type { Area, Values } from '../inputs/area.ts';
import { cutPush } from '../inputs/effort.ts';
import { buildPack, pushFields } from './push.ts';

/** Imports from a hostile remote. The bytes that the remote sends count as sent by the tenant. */
export const importsArea: Area = {
  name: 'imports',
  fields: {
    ...pushFields,
    listed: { max: 20_000, byMagnitude: true },
    version: { max: 1 },
    progress: { max: 5_000, byMagnitude: true },
    pieces: { max: 65_000, byMagnitude: true },
    depth: { max: 3 },
  },
  // One request creates one repository.
  cut: (values, effort) => cutPush({ ...values, parallel: 1 }, effort),
  open() {
    let remote: (request: Request) => Promise<Response> = () => Promise.reject(new Error('there is no remote'));
    const service = openTemporaryService({ remote: (request) => remote(request) });
    let number = 0;
    return Promise.resolve({
      service,
      trial(values) {
        const replies = hostileRemote(values);
        const name = `imported-${number++}`;
        const url = `${service.origin}/v4/accounts/local/repos/namespaces/default/repos/${name}/import`;
        const depth = values['depth'] ?? 0;
        const body = Buffer.from(
          JSON.stringify({ url: 'https://remote.example/a/b', ...(depth > 0 ? { depth } : {}) }),
        );
        remote = replies.answer;
        return Promise.resolve({
          sent: body.length + replies.bytes,
          async run() {
            const headers = { authorization: `Bearer ${service.apiToken}`, 'content-type': 'application/json' };
            return [await service.send('POST', url, headers, body)];
          },
        });
      },
    });
  },
};

interface HostileRemote {
  /** Bytes of its replies. */
  readonly bytes: number;
  readonly answer: (request: Request) => Promise<Response>;
}

function hostileRemote(values: Values): HostileRemote {
  const { pack, tips } = buildPack(values);
  const listed = Math.max(1, values['listed'] ?? 1);
  const name = 'n'.repeat(values['nameLength'] ?? 0);
  const refs = Array.from({ length: listed }, (_, i) => {
    const ref = i === 0 ? 'refs/tags/main' : `refs/tags/${name}${i.toString(36)}`;
    return [tips[i % tips.length] as string, ref] as const;
  });
  const isOld = values['version'] === 0;
  const capabilities = 'side-band-64k ofs-delta shallow';
  const discovery = isOld
    ? refs.map(([id, ref], i) => packet(`${id} ${ref}${i === 0 ? `\0${capabilities}` : ''}\n`)).join('')
    : packet('version 2\n') + packet('ls-refs=unborn\n') + packet('fetch=shallow\n');
  const list = refs.map(([id, ref]) => packet(`${id} ${ref}\n`)).join('');
  const piece = Math.max(1, values['pieces'] ?? 0);
  const bands: Buffer[] = [Buffer.from(isOld ? packet('NAK\n') : packet('packfile\n'))];
  for (let i = 0; i < (values['progress'] ?? 0); i++) bands.push(Buffer.from(packet('\x02.')));
  // Small chunks make the reply longer, so only the first ones are small.
  for (let at = 0, taken = piece; at < pack.length; at += taken) {
    if (bands.length > 20_000) taken = 65_000;
    const part = pack.subarray(at, at + taken);
    bands.push(Buffer.from((part.length + 5).toString(16).padStart(4, '0') + '\x01', 'latin1'), part);
  }
  const replies = {
    discovery: Buffer.from(`${packet('# service=git-upload-pack\n')}0000${discovery}0000`, 'latin1'),
    list: Buffer.from(`${list}0000`, 'latin1'),
    fetch: Buffer.concat([...bands, Buffer.from('0000')]),
  };
  return {
    bytes: replies.discovery.length + replies.fetch.length + (isOld ? 0 : replies.list.length),
    async answer(request) {
      const isDiscovery = request.method === 'GET';
      const isList = !isDiscovery && !isOld && (await request.text()).includes('ls-refs');
      const body = isDiscovery ? replies.discovery : isList ? replies.list : replies.fetch;
      const type = isDiscovery ? 'advertisement' : 'result';
      return new Response(inPieces(body), { headers: { 'content-type': `application/x-git-upload-pack-${type}` } });
    },
  };
}

/** Bytes per read of a socket. */
const socketBytes = 65_536;

function inPieces(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < body.length) controller.enqueue(body.subarray(at, (at += socketBytes)));
      else controller.close();
    },
  });
}
