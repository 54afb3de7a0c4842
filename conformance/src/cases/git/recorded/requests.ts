/** Recorded requests of stock git, as it would send them to a server with these capabilities. */

import { exchangeBody, type Exchange } from '../../../tools/recording.ts';
import { packet, readPackets } from '../../../tools/wire-client.ts';

/** Returns the body of a request without the capabilities that the server does not advertise. */
export function requestBody(version: 0 | 1 | 2, { request }: Exchange, offered: ReadonlySet<string>): Buffer {
  const body = Buffer.from(exchangeBody(request.body));
  const isOffered = (word: string): boolean => offered.has(word.replace(/[= ].*/s, '').trimEnd());
  const isPush = request.target.endsWith('git-receive-pack');
  if (version === 2 && !isPush) return withoutLines(body, isOffered);
  const length = Number.parseInt(body.toString('latin1', 0, 4), 16);
  if (Number.isNaN(length) || length < 4) return body;
  const first = body.toString('latin1', 4, length);
  const changed = isPush ? pushLine(first, isOffered) : wantLine(first, isOffered);
  return Buffer.concat([packet(Buffer.from(changed, 'latin1')), body.subarray(length)]);
}

function pushLine(line: string, isOffered: (word: string) => boolean): string {
  const [command, words = ''] = line.split('\0');
  return `${command}\0${kept(words, isOffered)}`;
}

function wantLine(line: string, isOffered: (word: string) => boolean): string {
  const [want = '', id = '', ...words] = line.trimEnd().split(' ');
  return `${[want, id, kept(words.join(' '), isOffered)].join(' ').trimEnd()}\n`;
}

function kept(words: string, isOffered: (word: string) => boolean): string {
  return words
    .split(' ')
    .filter((word) => word === '' || isOffered(word))
    .join(' ');
}

/** Drops the lines of a command of version 2 that need a capability. */
function withoutLines(body: Buffer, isOffered: (word: string) => boolean): Buffer {
  const optional = /^(?:agent|session-id|object-format|server-option)=|^(?:unborn|wait-for-done)$/;
  const lines = readPackets(body).flatMap((read) => {
    if (read === 'flush') return [Buffer.from('0000')];
    if (read === 'delim') return [Buffer.from('0001')];
    const text = (read as Buffer).toString('latin1').trimEnd();
    return optional.test(text) && !isOffered(text) ? [] : [packet(read as Buffer)];
  });
  return Buffer.concat(lines);
}
