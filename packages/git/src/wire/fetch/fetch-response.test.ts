import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../../object/object-id.ts';
import { acknowledgmentsSection, fetchHead, unreadyReply, wantedRefsSection } from './fetch-response.ts';
import { packetsOf } from '../packets.test.util.ts';
import { packetText } from '../pkt-line.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';

const [one, two] = ['1', '2'].map((digit) => digit.repeat(40)) as [ObjectId, ObjectId];
const refs = [
  { name: 'HEAD', oid: two },
  { name: 'refs/heads/größe', oid: one },
];

describe('the head of a reply to fetch', () => {
  property.prop([fc.boolean(), fc.boolean(), fc.boolean()])(
    'GIT-094: has the sections that there are, in their one order',
    (negotiates, cuts, names) => {
      const head = fetchHead({
        acknowledgments: negotiates ? acknowledgmentsSection([one], true) : undefined,
        shallowInfo: cuts ? encodeUtf8(packetText(`shallow ${two}\n`)) : undefined,
        wantedRefs: names ? wantedRefsSection(refs) : undefined,
      });
      expect(packetsOf(head)).toEqual([
        ...(negotiates ? ['acknowledgments\n', `ACK ${one}\n`, 'ready\n', 'delim'] : []),
        ...(cuts ? ['shallow-info\n', `shallow ${two}\n`, 'delim'] : []),
        ...(names ? ['wanted-refs\n', `${two} HEAD\n`, `${one} refs/heads/grÃ¶Ã\x9Fe\n`, 'delim'] : []),
        'packfile\n',
      ]);
    },
  );

  it('GIT-094: may have an empty shallow-info, and has no empty wanted-refs', () => {
    expect(packetsOf(fetchHead({ shallowInfo: new Uint8Array(0), wantedRefs: wantedRefsSection([]) }))).toEqual([
      'shallow-info\n',
      'delim',
      'packfile\n',
    ]);
  });

  it('GIT-094, GIT-095: acknowledgments stand alone where no pack follows', () => {
    expect(packetsOf(unreadyReply(acknowledgmentsSection([], false)))).toEqual(['acknowledgments\n', 'NAK\n', 'flush']);
    expect(packetsOf(unreadyReply(acknowledgmentsSection([one, two], false)))).toEqual([
      'acknowledgments\n',
      `ACK ${one}\n`,
      `ACK ${two}\n`,
      'flush',
    ]);
  });
});
