import { fc, test } from '@fast-check/vitest';
import { HostingError } from '@packhouse/base';
import { expect, it } from 'vitest';
import { JsonReader } from './json-reader.ts';

const encoder = new TextEncoder();

/** Yields the bytes cut to pieces of these sizes, of which the last one repeats. */
async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Reads a value in parts down to a depth, and below as a whole. */
async function readParts(json: JsonReader, depth: number): Promise<unknown> {
  const next = await json.peek();
  if (depth === 0 || !['{', '[', '"'].includes(next)) return json.value();
  if (next === '"') {
    const pieces: string[] = [];
    for await (const piece of json.text()) pieces.push(piece);
    // Pieces that split a pair would be longer.
    const encoded = pieces.reduce((sum, piece) => sum + encoder.encode(piece).length, 0);
    expect(encoded).toBe(encoder.encode(pieces.join('')).length);
    return pieces.join('');
  }
  if (next === '[') {
    const items: unknown[] = [];
    for await (const _ of json.items()) items.push(await readParts(json, depth - 1));
    return items;
  }
  const members: [string, unknown][] = [];
  for await (const name of json.members()) members.push([name, await readParts(json, depth - 1)]);
  return Object.fromEntries(members);
}

async function read(bytes: Uint8Array, sizes: readonly number[], depth: number): Promise<unknown> {
  const json = new JsonReader(cut(bytes, sizes), () => {});
  try {
    const value = await readParts(json, depth);
    await json.end();
    return { value };
  } catch (error) {
    return error instanceof HostingError ? error.kind : error;
  }
}

function oracle(bytes: Uint8Array): unknown {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return 'malformedJson';
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
/** Texts with every kind of escape, halves of pairs, and space between tokens. */
const jsonText = fc
  .tuple(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), fc.boolean(), fc.constantFrom('', ' ', '\r\n\t'))
  .map(([value, isEscaped, space]) => {
    const text = JSON.stringify(value, null, space);
    if (!isEscaped) return text;
    return text.replaceAll(/[^\0-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  });
const anyText = fc.string({
  unit: fc.constantFrom(...'{}[]",:\\/u0d8e+-.1tfn \n', 'true', 'null', '\ufeff', '\u00a0', '😀'),
});
/** A place in the bytes, how many of them go, and those that come. */
const damage = fc.tuple(fc.nat(), fc.nat(2), fc.uint8Array({ maxLength: 2 }));

test.prop([fc.oneof(jsonText, anyText), fc.option(damage), sizes, fc.nat(4)], { numRuns: 1000 })(
  'accepts what JSON.parse accepts and reads the same, cut anywhere and read in any parts',
  async (text, damaged, pieces, depth) => {
    let bytes = encoder.encode(text);
    if (damaged !== null) {
      const [place, gone, more] = damaged;
      const at = place % (bytes.length + 1);
      bytes = Uint8Array.of(...bytes.subarray(0, at), ...more, ...bytes.subarray(at + gone));
    }
    expect(await read(bytes, pieces, depth)).toEqual(oracle(bytes));
  },
);

it('reads values of any depth and length, and counts what it holds', async () => {
  const deep = encoder.encode(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  expect(await read(deep, [1000], 1)).toHaveProperty('value.a');
  let held = 0;
  const bytes = encoder.encode(`{"name":${JSON.stringify('x'.repeat(100_000))},"b":[1, 2]}`);
  const json = new JsonReader(cut(bytes, [100]), (characters) => (held += characters));
  for await (const name of json.members()) {
    if (name === 'b') await json.value();
    else for await (const piece of json.text()) expect(piece.length).toBeLessThan(200);
  }
  expect(held).toBe('"name""b"[1, 2]'.length);
});
