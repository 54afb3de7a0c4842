import { sampleSeed } from '@packhouse/fixtures';

type Rounds = Readonly<Record<'node' | 'deno' | 'bun', number>>;

/**
 * Returns the rounds of a test of kills by runtime: `few`, or `all` in `pnpm test:kills`, which sets `PACKHOUSE_KILLS`. A
 * sample leaves Deno or Bun out, by turns: their files and database are used by the same code.
 */
export function killRounds(few: Rounds, all: Rounds): readonly (readonly ['node' | 'deno' | 'bun', number])[] {
  const { node, deno, bun } = process.env['PACKHOUSE_KILLS'] === undefined ? few : all;
  const others = [
    ['deno', deno],
    ['bun', bun],
  ] as const;
  const seed = process.env['PACKHOUSE_KILLS'] === undefined ? sampleSeed() : undefined;
  return [['node', node], ...others.filter((_, i) => seed === undefined || seed % 2 === i)];
}
