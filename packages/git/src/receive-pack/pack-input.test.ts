import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { PackInput } from './pack-input.ts';

const pieces = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 });

async function* sourceOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  // Each is garbage once the next one is asked for.
  for (const part of parts) {
    const lent = part.slice();
    yield lent;
    lent.fill(0xee);
  }
}

async function all(input: PackInput): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of input.bytes()) parts.push(part.slice());
  return Buffer.concat(parts);
}

describe('what is taken in ahead of a push', () => {
  test.prop([pieces, fc.nat(300)])('comes before the rest, and is paid for while it is held', async (parts, most) => {
    const whole = Buffer.concat(parts);
    const input = new PackInput(sourceOf(parts));
    const held: number[] = [];
    await input.isEmpty();
    const length = await input.gather(most, (bytes) => held.push(bytes));
    expect(length).toBe(whole.length <= most ? whole.length : undefined);
    const paid = held.at(-1) ?? 0;
    expect(paid).toBeLessThanOrEqual(most);
    if (length !== undefined) expect(paid).toBeGreaterThanOrEqual(length);
    expect((await all(input)).equals(whole)).toBe(true);
    expect(held.at(-1)).toBe(0);
  });

  it('LIM-059: is refused where there is no room for it, and what follows can still be read', async () => {
    const input = new PackInput(sourceOf([new Uint8Array(10), new Uint8Array(100_000)]));
    const noRoom = new Error('no room');
    const gathering = input.gather(1_000_000, (bytes) => {
      if (bytes > 50_000) throw noRoom;
    });
    await expect(gathering).rejects.toBe(noRoom);
    await input.drain();
    await input.ended;
    expect(input.failure).toBeUndefined();
  });
});
