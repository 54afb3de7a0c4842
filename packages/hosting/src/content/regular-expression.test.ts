import { fc, test } from '@fast-check/vitest';
import type { LinePattern } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { compileExpression } from './regular-expression.ts';
import { comparedWithGit, someExpression, someLines } from './regular-expression.test.util.ts';

async function compiled(source: string, isLiteral = false, ignoreCase = false): Promise<LinePattern> {
  const pattern = await compileExpression(source, { isLiteral, ignoreCase });
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern;
}

describe('compileExpression', () => {
  test.prop([someExpression, fc.array(someLines, { minLength: 20, maxLength: 20 }), fc.boolean()], { numRuns: 10 })(
    'REPO-295: finds the lines and columns of git grep -P',
    async (source, texts, ignoreCase) => {
      const [ours, ofGit] = await comparedWithGit(source, texts, ignoreCase);
      expect(ours).toEqual(ofGit);
    },
  );

  it('REPO-297: takes a literal as it is, and folds case as Unicode does', async () => {
    const find = async (q: string, text: string): Promise<unknown> => {
      const bytes = Buffer.from(text);
      return (await compiled(q, true, true)).find(bytes, 0, bytes.length);
    };
    expect(await find('a.c(', 'abc( A.C(')).toEqual({ start: 5, end: 9 });
    expect(await find('straÄe', 'STRaäE')).toEqual({ start: 0, end: 7 });
    expect(await find('k', '\u212a')).toEqual({ start: 0, end: 3 });
  });

  it('REPO-297: matches within a line alone, also for what means the ends of a text', async () => {
    const text = Buffer.from('ab\ncd\n\nef');
    const found = async (source: string): Promise<unknown> => (await compiled(source)).find(text, 0, text.length);
    expect(await found('b[^x]c')).toBeUndefined();
    expect(await found('(?s)b.c')).toBeUndefined();
    expect(await found('\\Ac')).toEqual({ start: 3, end: 4 });
    expect(await found('(?-m)d$')).toEqual({ start: 4, end: 5 });
    expect(await found('^$')).toEqual({ start: 6, end: 6 });
    expect(await found('x*')).toEqual({ start: 0, end: 0 });
  });

  it('LIM-038: sees the front of a long line', async () => {
    const pattern = await compiled('x$');
    const line = Buffer.from(`${'y'.repeat(100_000)}x`);
    expect(pattern.find(line, 0, line.length)).toBeUndefined();
    expect(pattern.stepBytes).toBeGreaterThanOrEqual(4096);
    expect((await compiled('x')).find(Buffer.from(`y${line}`), 0, 100_002)).toBeUndefined();
    const front = Buffer.from(`${'y'.repeat(4000)}x${line}`);
    expect((await compiled('x')).find(front, 0, front.length)).toEqual({ start: 4000, end: 4001 });
  });

  it.each(['(', '[a', 'a**', '\\1', '(?=a)', '(?<!a)b', '(?P<x>a)(?P<x>b)', 'a{1001}', '(a{30}){40}', '\\pX'])(
    'REPO-297: refuses %j with a reason of one line',
    async (source) => {
      expect(await compileExpression(source, { isLiteral: false, ignoreCase: false })).toMatch(/^[^\n]{5,200}$/);
    },
  );

  it('LIM-038: refuses an expression with a large program', async () => {
    expect(await compileExpression('(?:ab){400}', { isLiteral: false, ignoreCase: false })).toMatch(
      /^too large: a program of \d+ instructions, limit 600$/,
    );
  });
});
