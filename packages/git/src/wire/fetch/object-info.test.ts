import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { objectIdAt, type ObjectId } from '../../object/object-id.ts';
import { IdList } from '../id-list.ts';
import { parseObjectInfoRequest, writeObjectInfo } from './object-info.ts';
import { packetsOf, readerOf, wireText } from '../packets.test.util.ts';
import { MalformedRequestError, RequestRefusedError } from '../request-error.ts';

const digits = fc.constantFrom(...'0123456789abcdef');
const oids = fc.string({ unit: digits, minLength: 40, maxLength: 40 });
const reply = (size: boolean, ids: IdList, sizes: ReadonlyMap<string, number>): readonly string[] =>
  packetsOf(
    Buffer.concat([
      ...writeObjectInfo({ command: 'object-info', size, ids }, (bytes, at) => sizes.get(objectIdAt(bytes, at))),
    ]),
  );

describe('object-info', () => {
  property.prop([fc.array(oids, { maxLength: 60 }), fc.boolean(), fc.func(fc.option(fc.nat(), { nil: undefined }))])(
    'GIT-100: answers any ids in the requested order, and missing ones as their id and a space',
    async (asked, size, sizeOf) => {
      const lines = [...(size ? ['size'] : []), ...asked.map((oid) => `oid ${oid}\n`)];
      const request = await parseObjectInfoRequest(readerOf(wireText(...lines, 'flush')));
      expect(request).toMatchObject({ command: 'object-info', size });
      expect([...request.ids]).toEqual(asked);
      const sizes = new Map(asked.flatMap((oid) => (sizeOf(oid) === undefined ? [] : [[oid, sizeOf(oid) as number]])));
      const header = size && asked.length > 0 ? ['size'] : [];
      const told = asked.map((oid) => (size ? `${oid} ${sizes.get(oid) ?? ''}` : `${oid}`));
      expect(reply(size, request.ids, sizes)).toEqual([...header, ...told, 'flush']);
    },
  );

  it('GIT-100: answers a long list in pieces, complete and in order', () => {
    const ids = new IdList();
    for (let n = 0; n < 5000; n++) ids.add((n * 31).toString(16).padStart(40, '0') as ObjectId);
    const sizes = new Map(Array.from(ids, (oid, n) => [oid, n]));
    const told = Array.from(ids, (oid, n) => `${oid} ${n}`);
    expect(reply(true, ids, sizes)).toEqual(['size', ...told, 'flush']);
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
