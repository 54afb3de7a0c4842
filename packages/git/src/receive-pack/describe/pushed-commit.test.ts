import { expect, it } from 'vitest';
import type { ObjectId } from '../../object/object-id.ts';
import { pushedCommit } from './pushed-commit.ts';

const id = 'ab'.repeat(20) as ObjectId;
const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function body(message: string | Buffer, { name = 'A', mail = 'a@b', encoding = '', parents = 0 } = {}): Buffer {
  const ident = `${name} <${mail}> 1700000000 +0100`;
  const parent = `parent ${tree}\n`.repeat(parents);
  const header = `tree ${tree}\n${parent}author ${ident}\ncommitter ${ident}\n${encoding}\n`;
  return Buffer.concat([Buffer.from(header), Buffer.from(message as string)]);
}

it('REPO-196: tells a commit', () => {
  expect(pushedCommit(id, body('Title\n\nText\n', { parents: 1 }))).toEqual({
    id,
    message: 'Title\n\nText',
    messageTruncated: false,
    author: { name: 'A', email: 'a@b' },
    committer: { name: 'A', email: 'a@b' },
    committedAt: 1_700_000_000,
    parents: [tree],
  });
});

it('REPO-196: tells the first 4,096 characters of a message, and cuts through none', () => {
  expect(pushedCommit(id, body('x'.repeat(4_096)))).toMatchObject({
    message: 'x'.repeat(4_096),
    messageTruncated: false,
  });
  expect(pushedCommit(id, body('x'.repeat(4_097)))).toMatchObject({
    message: 'x'.repeat(4_096),
    messageTruncated: true,
  });
  expect(pushedCommit(id, body('😀'.repeat(4_096)))).toMatchObject({
    message: '😀'.repeat(4_096),
    messageTruncated: false,
  });
  expect(pushedCommit(id, body(`x${'😀'.repeat(5_000)}`))).toMatchObject({
    message: `x${'😀'.repeat(4_095)}`,
    messageTruncated: true,
  });
});

it('REPO-196: reads no more of a long message than it describes, in any encoding', () => {
  const line = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0a]);
  const text = 'テスト\n'.repeat(2_000).slice(0, 4_096);
  const told = pushedCommit(
    id,
    body(Buffer.concat(Array.from({ length: 50_000 }, () => line)), { encoding: 'encoding Shift_JIS\n' }),
  );
  expect(told).toMatchObject({ message: text, messageTruncated: true });
});

it('REPO-196: bounds names, addresses and headers', () => {
  const long = pushedCommit(id, body('m', { name: 'n'.repeat(9_999), mail: 'm'.repeat(9_999) }));
  expect(long?.author).toEqual({ name: 'n'.repeat(256), email: 'm'.repeat(256) });
  expect(pushedCommit(id, body('m', { parents: 12_000 }))).toBeUndefined();
  expect(pushedCommit(id, body('m', { parents: 10_000 }))?.parents).toHaveLength(10_000);
});
