import { describe, expect, it } from 'vitest';
import { Ledger, type Facts } from './ledger.ts';

const facts = (...names: readonly string[]): Facts => new Map(names.map((name) => [name, 'new']));
const acknowledged = async (): Promise<Facts> => new Map();
const cut = async (): Promise<never> => Promise.reject(new Error('the connection broke'));

describe('the ledger of the kill tests', () => {
  it('finds what is missing, changed or extra after an acknowledged change', async () => {
    const ledger = new Ledger();
    await ledger.change('push', facts('a', 'b'), acknowledged);
    expect(ledger.settle(facts('a', 'b'))).toEqual([]);
    expect(ledger.settle(facts('a'))).toEqual(['b: acknowledged new, found nothing']);
    expect(ledger.settle(facts('a', 'c'))).toEqual(['c: acknowledged as gone or never, found new']);
    expect(ledger.settle(new Map([['a', 'other']]))).toHaveLength(2);
  });

  it('accepts an unacknowledged change whole or not at all, and finds half of one', async () => {
    for (const [found, problems] of [
      [['a', 'b'], []],
      [[], []],
      [['b'], ['half of an unacknowledged push: a, b']],
    ] as const) {
      const ledger = new Ledger();
      await expect(ledger.change('push', facts('a', 'b'), cut)).rejects.toThrow('the connection broke');
      expect(ledger.isOpen('a')).toBe(true);
      expect(ledger.settle(facts(...found))).toEqual(problems);
      expect(ledger.isOpen('a')).toBe(false);
    }
  });

  it('finds what a refused change has changed', async () => {
    const ledger = new Ledger();
    expect(await ledger.change('push', facts('a'), async () => 'refused')).toBe(false);
    expect(ledger.isOpen('a')).toBe(false);
    expect(ledger.settle(facts('a'))).toEqual(['a: acknowledged as gone or never, found new']);
    await ledger.change('token', new Map(), async () => 'refused', 'token x ');
    expect(ledger.settle(facts('a', 'token x 1'))).toHaveLength(1);
    expect(ledger.total('refused')).toBe(2);
    expect(ledger.total('unknown')).toBe(0);
  });

  it('accepts one thing that the server names for each operation that makes one', async () => {
    const ledger = new Ledger();
    await expect(ledger.change('token', new Map(), cut, 'token x ')).rejects.toThrow();
    expect(ledger.settle(facts('token x 1'))).toEqual([]);
    expect(ledger.settle(facts('token x 1', 'token x 2'))).toHaveLength(1);
  });

  it('leaves what concerns an unfinished repo open', async () => {
    const ledger = new Ledger();
    await ledger.change('import', facts('repo x', 'ref x main'), async () => undefined, 'token x ');
    expect(ledger.settle(facts(), ['x'])).toEqual([]);
    expect(ledger.isOpen('ref x main')).toBe(true);
    expect(ledger.settle(facts('repo x', 'ref x main', 'token x 1'))).toEqual([]);
    expect(ledger.counts.get('import')?.unknownButDone).toBe(1);
  });
});
