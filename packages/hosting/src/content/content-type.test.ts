import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { contentTypeOf } from './content-type.ts';

const text = 'text/plain; charset=utf-8';
const bytes = 'application/octet-stream';

/** Returns the type of a file, and how many of its bytes were read. */
async function typeOf(path: string, content: Uint8Array = Buffer.from('x')): Promise<readonly [string, number]> {
  let looked = 0;
  const type = await contentTypeOf(Buffer.from(path, 'latin1'), {
    async head(length) {
      looked = length;
      return content.subarray(0, length);
    },
  });
  return [type, looked];
}

describe('the type of a raw file', () => {
  it.each([
    ['a.png', 'image/png'],
    ['dir.x/a.JPG', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.Gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.ico', 'image/x-icon'],
    ['a.b.pdf', 'application/pdf'],
    ['\xff\xfe.pdf', 'application/pdf'],
    ['a.pdf/', 'application/pdf'],
    ['a.pdf/.//./', 'application/pdf'],
  ])('REPO-149: of %j is %s for any content', async (path, type) => {
    expect(await typeOf(path, Buffer.of(0))).toEqual([type, 0]);
  });

  it.each(['a', 'png', 'a.png/b', 'a.pngx', 'a.xpng', 'a.html', 'a.svg', 'a.png.', 'a. png', ''])(
    'REPO-149: of %j follows from its first 8,192 bytes',
    async (path) => {
      expect(await typeOf(path)).toEqual([text, 8192]);
      expect(await typeOf(path, Buffer.of(0))).toEqual([bytes, 8192]);
    },
  );

  it.each([
    ['', text],
    ['plain', text],
    ['nul\0', bytes],
    ['latin \xe4 au lait', bytes],
    ['utf-8 \xc3\xa4', text],
    ['unfinished \xe2\x82', text],
    ['unfinished \xf0\x9f\x98', text],
    ['broken \xe2\x28\xa1', bytes],
    ['overlong \xc0\x80', bytes],
    ['surrogate \xed\xa0\x80', bytes],
    ['too far \xf4\x90\x80\x80', bytes],
    ['\xef\xbb\xbfmark', text],
  ])('REPO-149: of %j is %s', async (content, type) => {
    expect((await typeOf('a', Buffer.from(content, 'latin1')))[0]).toBe(type);
  });

  test.prop([fc.string({ unit: 'binary', minLength: 1 }), fc.nat(200)])(
    'REPO-149: a text cut at any byte is still text',
    async (content, at) => {
      fc.pre(content.isWellFormed() && !content.includes('\0'));
      expect((await typeOf('a', Buffer.from(content).subarray(0, at)))[0]).toBe(text);
    },
  );
});
