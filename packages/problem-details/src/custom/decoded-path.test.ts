import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedPath } from './decoded-path.ts';

describe('ERR-103: the decoded path', () => {
  it('equals the result of decodeURIComponent if that succeeds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const path = new URL(`https://a.example/${encodeURIComponent(text.toWellFormed())}`).pathname;
        expect(decodedPath(path)).toBe(decodeURIComponent(path));
      }),
    );
  });

  it('keeps malformed escapes, and replaces malformed UTF-8', () => {
    expect(decodedPath('/100%')).toBe('/100%');
    expect(decodedPath('/%zz%4')).toBe('/%zz%4');
    expect(decodedPath('/%ff%41')).toBe('/\ufffdA');
    expect(decodedPath('/%2541')).toBe('/%41');
    expect(decodedPath('/%EF%BB%BFa')).toBe('/\ufeffa');
  });
});
