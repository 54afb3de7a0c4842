import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { objectIdAt } from '../object/object-id.ts';
import { parseObjectInfoRequest, writeObjectInfo } from './object-info.ts';
import { packetsOf, readerOf, wireText } from './packets.test.util.ts';
import { MalformedRequestError, RequestRefusedError } from './request-error.ts';

const digits = fc.constantFrom(...'0123456789abcdef');
const oids = fc.string({ unit: digits, minLength: 40, maxLength: 40 });
const reply = (size: boolean, ids: Uint8Array, sizes: ReadonlyMap<string, number>): readonly string[] =>
  packetsOf(
    Buffer.concat([
      ...writeObjectInfo({ command: 'object-info', size, ids }, (bytes, at) => sizes.get(objectIdAt(bytes, at))),
    ]),
  );

describe('object-info', () => {
  property.prop([fc.array(oids, { maxLength: 60 }), fc.boolean(), fc.func(fc.option(fc.nat(), { nil: undefined }))])(
    'GIT-100: whatever is asked is told in the order asked, what is not found as its id and a space',
    async (asked, size, sizeOf) => {
      const lines = [...(size ? ['size'] : []), ...asked.map((oid) => `oid ${oid}\n`)];
      const request = await parseObjectInfoRequest(readerOf(wireText(...lines, 'flush')));
      expect(request).toMatchObject({ command: 'object-info', size });
      expect(Buffer.from(request.ids).toString('hex')).toBe(asked.join(''));
      const sizes = new Map(asked.flatMap((oid) => (sizeOf(oid) === undefined ? [] : [[oid, sizeOf(oid) as number]])));
      const header = size && asked.length > 0 ? ['size\n'] : [];
      const told = asked.map((oid) => (size ? `${oid} ${sizes.get(oid) ?? ''}\n` : `${oid}\n`));
      expect(reply(size, request.ids, sizes)).toEqual([...header, ...told, 'flush']);
    },
  );

  it('GIT-100: a long list is told in pieces, whole and in order', () => {
    const ids = Uint8Array.from({ length: 5000 * 20 }, (_, at) => (at * 31 + (at >> 8)) & 255);
    const sizes = new Map(Array.from({ length: 5000 }, (_, n) => [objectIdAt(ids, n * 20), n]));
    const told = Array.from(
      { length: 5000 },
      (_, n) => `${objectIdAt(ids, n * 20)} ${sizes.get(objectIdAt(ids, n * 20))}\n`,
    );
    expect(reply(true, ids, sizes)).toEqual(['size\n', ...told, 'flush']);
  });

  it.each([
    ['type', "unexpected line: 'type'"],
    ['oid 12', "unexpected line: 'oid 12'"],
    [`oid ${'1'.repeat(64)}`, "unsupported object format 'sha256'"],
    ['', "unexpected line: ''"],
  ])('GIT-050, GIT-090: refuses %j', async (line, text) => {
    const asked = parseObjectInfoRequest(readerOf(wireText('size', line, 'flush')));
    await expect(asked).rejects.toThrow(new RequestRefusedError(text));
  });

  it('GIT-016: a body without the flush is malformed', async () => {
    await expect(parseObjectInfoRequest(readerOf(wireText('size')))).rejects.toThrow(MalformedRequestError);
  });
});
