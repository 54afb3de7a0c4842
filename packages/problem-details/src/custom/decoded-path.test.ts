import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedPath } from './decoded-path.ts';

describe('ERR-103: the decoded path', () => {
  it('is what decodeURIComponent makes of it, where that is defined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const path = new URL(`https://a.example/${encodeURIComponent(text.toWellFormed())}`).pathname;
        expect(decodedPath(path)).toBe(decodeURIComponent(path));
      }),
    );
  });

  it('leaves what is no escape, and takes bytes that are no UTF-8 for a replacement character', () => {
    expect(decodedPath('/100%')).toBe('/100%');
    expect(decodedPath('/%zz%4')).toBe('/%zz%4');
    expect(decodedPath('/%ff%41')).toBe('/\ufffdA');
    expect(decodedPath('/%2541')).toBe('/%41');
    expect(decodedPath('/%EF%BB%BFa')).toBe('/\ufeffa');
  });
});
