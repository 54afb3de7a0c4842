/** A small Git client for requests that stock `git` would never send. Deliberately without the kit's own code. */

import { NotDone, Unsupported } from '../core/outcome.ts';

/** The URL of a repo and its token. */
export interface Remote {
  readonly remote: string;
  readonly token: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** True on another Git server, whose texts and reasons are its own. Default: false. */
  readonly foreign?: boolean;
  /** True on another Git server without version 2, which gitprotocol-v2(5) leaves to it. Default: false. */
  readonly isOld?: boolean;
  /** The value of `Authorization` on another Git server; `null` if it wants none. Default: the token as Bearer. */
  readonly authorization?: string | null;
}

/** Returns the credential of a request that goes past the `fetch` of a repo, such as one over a raw socket. */
export function credentialOf({ token, authorization = `Bearer ${token}` }: Remote): { authorization?: string } {
  return authorization === null ? {} : { authorization };
}

/** Encodes one packet of text. */
export function packet(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

export const flush: Buffer = Buffer.from('0000');
export const delim: Buffer = Buffer.from('0001');

export type ReadPacket = Buffer | 'flush' | 'delim';

/**
 * Splits a reply into packets.
 *
 * @throws if its framing is broken.
 */
export function readPackets(bytes: Buffer): ReadPacket[] {
  const packets: ReadPacket[] = [];
  for (let at = 0; at < bytes.length;) {
    const digits = bytes.toString('latin1', at, at + 4);
    const length = Number.parseInt(digits, 16);
    if (!/^[0-9a-f]{4}$/i.test(digits) || (length > 1 && length < 4) || at + Math.max(length, 4) > bytes.length) {
      throw new NotDone(`broken packet at ${at}`);
    }
    if (length < 2) packets.push(length === 0 ? 'flush' : 'delim');
    else packets.push(bytes.subarray(at + 4, at + length));
    at += Math.max(length, 4);
  }
  return packets;
}

/** The evidence that a server has one version of the protocol. */
export const withoutVersions = 'Git-Protocol: version=2 is answered in version 0';

export interface PostOptions {
  readonly service?: 'git-upload-pack' | 'git-receive-pack';
  readonly version?: 0 | 1 | 2;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a body to a service of a repo. */
export async function post(
  repo: Remote,
  body: Uint8Array,
  { service = 'git-upload-pack', version = 2, headers = {} }: PostOptions = {},
): Promise<{ status: number; headers: Headers; body: Buffer }> {
  if (version === 2 && repo.isOld === true && service === 'git-upload-pack') throw new Unsupported(withoutVersions);
  const response = await (repo.fetch ?? fetch)(`${repo.remote}/${service}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${repo.token}`,
      'content-type': `application/x-${service}-request`,
      'git-protocol': `version=${version}`,
      ...headers,
    },
    body: body as BodyInit,
  });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

/** Encodes a version 2 `fetch` with `done`. */
export function fetchBody(
  wants: readonly string[],
  haves: readonly string[],
  words: readonly string[] = ['ofs-delta'],
): Buffer {
  return Buffer.concat([
    packet('command=fetch\n'),
    packet('object-format=sha1\n'),
    delim,
    ...words.map((word) => packet(`${word}\n`)),
    ...wants.map((want) => packet(`want ${want}\n`)),
    ...haves.map((have) => packet(`have ${have}\n`)),
    packet('done\n'),
    flush,
  ]);
}

/**
 * Returns the pack of a reply to `fetch`.
 *
 * @throws with the text of the server if there is no pack.
 */
export function packOf(reply: Buffer): Buffer {
  const parts: Buffer[] = [];
  let inPack = false;
  for (const read of readPackets(reply)) {
    if (typeof read === 'string') continue;
    if (inPack && read[0] === 1) {
      parts.push(read.subarray(1));
      continue;
    }
    const text = read.toString();
    if (text.startsWith('ERR ') || read[0] === 3) throw new NotDone(text);
    if (text === 'packfile\n') inPack = true;
  }
  if (!inPack) throw new NotDone('no packfile section');
  return Buffer.concat(parts);
}

/** Encodes a push request: commands with capabilities, and the pack. */
export function pushBody(
  commands: readonly { readonly old: string; readonly new: string; readonly ref: string | Uint8Array }[],
  pack: Uint8Array,
  capabilities = 'report-status side-band-64k object-format=sha1',
): Buffer {
  const lines = commands.map(({ old, new: value, ref }, i) =>
    packet(
      Buffer.concat([
        Buffer.from(`${old} ${value} `),
        Buffer.from(ref),
        Buffer.from(i === 0 ? `\0 ${capabilities}` : ''),
      ]),
    ),
  );
  return Buffer.concat([...lines, flush, pack]);
}

/** Returns the report lines in the reply to a push with `side-band-64k`. */
export function reportOf(reply: Buffer): string[] {
  const parts = readPackets(reply).flatMap((read) =>
    typeof read !== 'string' && read[0] === 1 ? [read.subarray(1)] : [],
  );
  return readPackets(Buffer.concat(parts)).flatMap((read) =>
    typeof read === 'string' ? [] : [read.toString().trimEnd()],
  );
}

/**
 * Returns a reply as lines, one per packet, without the LF. `flush` and `delim` appear by name, band packets as
 * `1:...`.
 */
export function linesOf(reply: Buffer): string[] {
  return readPackets(reply).map((read) => {
    if (typeof read === 'string') return read;
    const band = (read[0] as number) < 4 ? `${read[0]}:` : '';
    return (
      band +
      read
        .subarray(band === '' ? 0 : 1)
        .toString('latin1')
        .replace(/\n$/, '')
    );
  });
}

/** Requests the ref advertisement of a service. */
export async function discover(
  repo: Remote,
  { service = 'git-upload-pack', version = 0, headers = {} }: PostOptions = {},
): Promise<{ status: number; headers: Headers; body: Buffer; lines: string[] }> {
  if (version !== 0 && repo.isOld === true) throw new Unsupported(withoutVersions);
  const response = await (repo.fetch ?? fetch)(`${repo.remote}/info/refs?service=${service}`, {
    headers: { authorization: `Bearer ${repo.token}`, 'git-protocol': `version=${version}`, ...headers },
  });
  const body = Buffer.from(await response.arrayBuffer());
  const lines = response.ok ? linesOf(body) : [body.toString()];
  // gitprotocol-v2(5) leaves out the line of the service that gitprotocol-http(5) has. Callers count on it.
  if (repo.foreign === true && lines[0] === 'version 2') lines.unshift(`# service=${service}`, 'flush');
  return { status: response.status, headers: response.headers, body, lines };
}

/** Returns the refs that version 2 lists, as `name` to the rest of the line. */
export async function listedRefs(repo: Remote): Promise<Record<string, string>> {
  if (repo.isOld === true) return await oldListedRefs(repo);
  const { body } = await post(repo, commandBody('ls-refs', ['symrefs', 'peel', 'unborn']));
  const lines = linesOf(body)
    .slice(0, -1)
    .map((line) => /^(\S+) (\S+)(?: (.*))?$/.exec(line) ?? []);
  return Object.fromEntries(lines.map(([, oid, name, more]) => [name, more === undefined ? oid : `${oid} ${more}`]));
}

/** Returns the same of version 0, which leaves out an unborn HEAD. */
async function oldListedRefs(repo: Remote): Promise<Record<string, string>> {
  const { lines } = await discover(repo);
  const head = /\bsymref=HEAD:(\S+)/.exec(lines.join(' '))?.[1];
  const refs: Record<string, string> = {};
  for (const line of lines) {
    const [, oid = '', name = ''] = /^([0-9a-f]{40}) ([^\0]+)/.exec(line) ?? [];
    const tag = name.replace(/\^\{\}$/, '');
    if (tag !== name && tag in refs) refs[tag] += ` peeled:${oid}`;
    else if (name === 'HEAD') refs[name] = `${oid} symref-target:${head}`;
    else if (name.startsWith('refs/')) refs[name] = oid;
  }
  return refs;
}

/** Encodes a command of version 2. */
export function commandBody(name: string, words: readonly string[] = [], capabilities: readonly string[] = []): Buffer {
  return Buffer.concat([
    packet(`command=${name}\n`),
    ...capabilities.map((capability) => packet(`${capability}\n`)),
    delim,
    ...words.map((word) => packet(`${word}\n`)),
    flush,
  ]);
}

/** Encodes a request of version 0 or 1. `end` is the end of the haves, or `wants` for a body without haves. */
export function uploadBody(
  wants: readonly string[],
  haves: readonly string[],
  capabilities: string,
  end: 'done' | 'flush' | 'wants' = 'done',
): Buffer {
  return Buffer.concat([
    ...wants.map((want, i) => packet(`want ${want}${i === 0 && capabilities !== '' ? ` ${capabilities}` : ''}\n`)),
    flush,
    ...haves.map((have) => packet(`have ${have}\n`)),
    ...(end === 'done' ? [packet('done\n')] : end === 'flush' ? [flush] : []),
  ]);
}

export interface Command {
  readonly old: string;
  readonly new: string;
  readonly ref: string | Uint8Array;
}

/** Returns a command that creates a ref, or moves it if its old value is given. */
export function set(
  ref: string | Uint8Array,
  value: { readonly oid: string },
  old?: { readonly oid: string },
): Command {
  return { old: old?.oid ?? '0'.repeat(40), new: value.oid, ref };
}

/** Returns a command that deletes a ref. */
export function remove(ref: string | Uint8Array, old: { readonly oid: string }): Command {
  return { old: old.oid, new: '0'.repeat(40), ref };
}

/** Pushes, and returns the report of band 1. `capabilities` are added to `report-status` and `side-band-64k`. */
export async function push(
  repo: Remote,
  commands: readonly Command[],
  pack: Uint8Array = new Uint8Array(0),
  capabilities = '',
): Promise<string[]> {
  const words = `report-status side-band-64k object-format=sha1 ${capabilities}`;
  const { status, body } = await post(repo, pushBody(commands, pack, words), {
    service: 'git-receive-pack',
    version: 0,
  });
  // Git leaves open where a push is refused: other servers may do it before they report.
  if (repo.foreign === true && (isRefusal(status) || (status === 200 && hasFatalError(body))))
    return ['unpack refused', ...commands.map(({ ref }) => `ng ${ref.toString()} refused`)];
  if (status !== 200) throw new NotDone(`${status}: ${body.toString()}`);
  return reportOf(body);
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Returns true for a reply with an ERR packet, or with a message of band 3. */
export function hasFatalError(body: Buffer): boolean {
  return readPackets(body).some((read) => typeof read !== 'string' && (read[0] === 3 || isError(read)));
}

function isError(packet: Buffer): boolean {
  return packet.toString('latin1', 0, 4) === 'ERR ';
}
