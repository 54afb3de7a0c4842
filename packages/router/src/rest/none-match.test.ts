import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { noneMatch } from './none-match.ts';

const etag = '"8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc"';

describe('If-None-Match', () => {
  it.each([
    null,
    '',
    ' ',
    '""',
    etag.slice(1, -1),
    '"other"',
    'W/"other"',
    '"*"',
    '*, "other"',
    `"x${etag.slice(1)}`,
    `${etag.slice(0, -1)}, *`,
  ])('REPO-151: %j gets the bytes', (header) => {
    expect(noneMatch(header, etag)).toBe(true);
  });

  it.each(['*', ' * ', etag, `W/${etag}`, `"a", ${etag}`, `"a,b" ,\t W/${etag} , "c"`, `,,${etag},`, `"a"${etag}`])(
    'REPO-151: %j gets 304',
    (header) => {
      expect(noneMatch(header, etag)).toBe(false);
    },
  );

  test.prop([fc.array(fc.tuple(fc.boolean(), fc.stringMatching(/^[!#-~]{0,6}$/)), { maxLength: 6 }), fc.nat(7)])(
    'REPO-151: finds exactly the current tag in a list of weak and strong tags',
    (tags, at) => {
      const written = tags.map(([weak, text]) => `${weak ? 'W/' : ''}"${text}"`);
      const own = '"own tag, with a comma"'.replace(' ', '_').replaceAll(' ', '_');
      expect(noneMatch(written.join(', '), own)).toBe(true);
      expect(noneMatch(written.toSpliced(at, 0, own).join(', '), own)).toBe(false);
    },
  );
});
