import { CodecError } from '../../ports/codec.ts';

export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export function checkNumber(actual: number, expected: number, what: string): void {
  check(actual === expected, `${what}: ${actual} in place of ${expected}`);
}

export function checkBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  checkNumber(actual.length, expected.length, `length of ${what}`);
  const at = actual.findIndex((byte, i) => byte !== expected[i]);
  check(at < 0, `${what}: ${actual[at]} in place of ${expected[at]} at ${at}`);
}

/** That it throws what a codec throws for data that does not inflate. */
export function checkRefused(run: () => unknown, what: string): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  check(thrown instanceof CodecError && thrown.message !== '', `${what}: ${String(thrown)} in place of a CodecError`);
}
