import { describe, it } from 'vitest';
import type { Codec } from '../../ports/codec.ts';
import type { CodecCase } from './codec-case.test.util.ts';
import { codecContract } from './contract.test.util.ts';
import { zlibOracle } from './zlib-oracle.test.util.ts';

/** Has a codec keep the contract, next to zlib and OpenSSL. `cases`: default all. */
export function describeCodec(name: string, codec: Codec, cases: readonly CodecCase[] = codecContract): void {
  describe(name, () => {
    it.each(cases)('$name', ({ run }) => run(codec, zlibOracle));
  });
}
