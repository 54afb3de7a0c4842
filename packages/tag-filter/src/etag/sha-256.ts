/** Computes SHA-256 (FIPS 180-4 §6.2). The result has 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const { initialState, roundConstants } = constants();
  const state = initialState.slice();
  const padded = pad(message);
  const view = new DataView(padded.buffer);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t += 1) schedule[t] = view.getUint32(block + 4 * t);
    expand(schedule);
    compress(state, schedule, roundConstants);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

/** Pads the message to whole blocks: a one bit, zeros, and the length in bits as 64 bits (§5.1.1). */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(message.length));
  return padded;
}

/** Computes the words of the message schedule after the 16 words of the block (§6.2.2, step 1). */
function expand(schedule: Uint32Array): void {
  const word = (t: number): number => schedule[t] ?? 0;
  for (let t = 16; t < 64; t += 1) {
    const early = word(t - 15);
    const late = word(t - 2);
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[t] = sigma1 + word(t - 7) + sigma0 + word(t - 16);
  }
}

/** Adds one block to the state (§6.2.2, steps 2 to 4). The variables have the names of the standard. */
function compress(state: Uint32Array, schedule: Uint32Array, roundConstants: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + (roundConstants[t] ?? 0) + (schedule[t] ?? 0)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

interface Constants {
  /** From the square roots of the first 8 primes (§5.3.3). */
  readonly initialState: Uint32Array;
  /** From the cube roots of the first 64 primes (§4.2.2). */
  readonly roundConstants: Uint32Array;
}

let known: Constants | undefined;

/** Computes the first 32 bits of the fractional parts of roots of primes. A double is exact enough, with 52 bits. */
function constants(): Constants {
  if (known !== undefined) return known;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number): number => (root % 1) * 2 ** 32;
  known = {
    initialState: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    roundConstants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
  return known;
}
