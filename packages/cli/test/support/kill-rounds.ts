type Rounds = Readonly<Record<'node' | 'deno' | 'bun', number>>;

/** Returns the rounds of a test of kills by runtime: `few`, or `all` in `pnpm test:kills`, which sets `PACKHOUSE_KILLS`. */
export function killRounds(few: Rounds, all: Rounds): readonly (readonly ['node' | 'deno' | 'bun', number])[] {
  const { node, deno, bun } = process.env['PACKHOUSE_KILLS'] === undefined ? few : all;
  return [
    ['node', node],
    ['deno', deno],
    ['bun', bun],
  ];
}
