import { ascii, Bits, joined, madeStream, noise, prose, zlibHeader } from './made-stream.test.util.ts';

export interface GoodStream {
  readonly name: string;
  readonly stream: Uint8Array;
  readonly body: Uint8Array;
}

const none = new Uint8Array(0);
const hello = ascii('hello');
const window = noise(32_768);

function good(name: string, body: Uint8Array, blocks: Bits, header?: Uint8Array): GoodStream {
  return { name, body, stream: madeStream(body, blocks, header) };
}

const headers = Array.from({ length: 32 }, (_, i) =>
  good(
    `a header for a window of 2^${8 + (i >> 2)}, level ${i & 3}`,
    hello,
    new Bits().stored(true, hello),
    zlibHeader(8, i >> 2, false, i & 3),
  ),
);

/** Short streams of each form that RFC 1950 and RFC 1951 have, made bit by bit. */
export const shortStreams: readonly GoodStream[] = [
  good('nothing, stored', none, new Bits().stored(true, none)),
  good('nothing, in the fixed code', none, new Bits().block(true, 1).fixed(256)),
  good(
    'five blocks of nothing',
    none,
    new Bits()
      .stored(false, none)
      .stored(false, none)
      .stored(false, none)
      .block(false, 1)
      .fixed(256)
      .stored(true, none),
  ),
  good('one stored block', hello, new Bits().stored(true, hello)),
  good('two stored blocks', ascii('hello, world'), new Bits().stored(false, hello).stored(true, ascii(', world'))),
  good(
    'a stored block after a fixed one',
    ascii('ahello'),
    new Bits().block(false, 1).fixed(97).fixed(256).stored(true, hello),
  ),
  good(
    'literals of 8 and 9 bits',
    Uint8Array.of(0, 143, 144, 255),
    new Bits().block(true, 1).fixed(0).fixed(143).fixed(144).fixed(255).fixed(256),
  ),
  good(
    'the shortest match, of what it writes itself',
    ascii('aaaa'),
    new Bits().block(true, 1).fixed(97).fixed(257).code(0, 5).fixed(256),
  ),
  good(
    'the longest match',
    ascii('a'.repeat(259)),
    new Bits().block(true, 1).fixed(97).fixed(285).code(0, 5).fixed(256),
  ),
  good(
    '258 bytes by the code for 227 and more',
    ascii('a'.repeat(259)),
    new Bits().block(true, 1).fixed(97).fixed(284).number(31, 5).code(0, 5).fixed(256),
  ),
  good(
    'a match of the block before',
    ascii('hellohel'),
    new Bits().stored(false, hello).block(true, 1).fixed(257).code(4, 5).number(0, 1).fixed(256),
  ),
  ...headers,
];

/** A match at the longest distance, which a window of 32 KiB just holds. */
const farthest = good(
  'a match at the longest distance',
  joined(window, window.subarray(0, 258)),
  new Bits().stored(false, window).block(true, 1).fixed(285).code(29, 5).number(8191, 13).fixed(256),
);

export const longStreams: readonly GoodStream[] = [
  farthest,
  good('the longest stored block', noise(65_535), new Bits().stored(true, noise(65_535))),
];

/** Bodies for streams that others make. */
export const bodies: readonly { readonly name: string; readonly body: Uint8Array }[] = [
  { name: 'nothing', body: none },
  { name: 'a byte', body: Uint8Array.of(7) },
  { name: 'zeros', body: new Uint8Array(100_000) },
  { name: 'noise', body: noise(70_000) },
  { name: 'noise of 64 KiB', body: noise(65_536) },
  { name: 'prose', body: prose(150_000) },
  { name: 'what comes again after 32 KiB', body: joined(noise(33_000), noise(33_000)) },
];
