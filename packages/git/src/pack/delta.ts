/** Deltas (gitformat-pack(5), "Deltified representation"). */

/** Git reads no shorter delta, so a clone that got one would fail: that of an empty result has 2 or 3 bytes. */
export const deltaSizeMin = 4;

/** Sizes that a delta declares; {@link parseDeltaSizes} fills in the same object again and again. */
export interface DeltaSizes {
  base: number;
  result: number;
  /** Start of the instructions. */
  at: number;
}

/** Reads the two sizes a delta starts with; false if they are cut off or reach 2^53 (GIT-144). */
export function parseDeltaSizes(delta: Uint8Array, start: number, end: number, into: DeltaSizes): boolean {
  into.at = start;
  const base = parseSize(delta, end, into);
  const result = base < 0 ? -1 : parseSize(delta, end, into);
  into.base = base;
  into.result = result;
  return result >= 0;
}

function parseSize(delta: Uint8Array, end: number, into: DeltaSizes): number {
  let size = 0;
  let factor = 1;
  for (let at = into.at; at < end && at < into.at + 8; at++) {
    const byte = delta[at] as number;
    size += (byte & 0x7f) * factor;
    if (size > Number.MAX_SAFE_INTEGER) return -1;
    if (byte < 0x80) {
      into.at = at + 1;
      return size;
    }
    factor *= 128;
  }
  return -1;
}

/** Up to here a loop beats a view and a call. */
const loopMax = 24;

/** How far a delta was run: the next instruction, and where its bytes go. */
interface DeltaProgress {
  at: number;
  to: number;
}

/** Reasons for {@link runDelta} to stop. */
const done = 1;
const more = 0;
const broken = -1;

const whole: DeltaProgress = { at: 0, to: 0 };

/**
 * Runs the instructions `delta[start..end)` against `base[baseStart..baseEnd)` and writes exactly
 * `target[targetStart..targetEnd)`. False if an instruction is reserved or cut off, copies from outside the base, or
 * the result is not exactly as long (GIT-144). `target` may be the same array as `base` or `delta` where the ranges
 * do not touch.
 */
export function applyDelta(
  base: Uint8Array,
  baseStart: number,
  baseEnd: number,
  delta: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  targetStart: number,
  targetEnd: number,
): boolean {
  whole.at = start;
  whole.to = targetStart;
  return runDelta(whole, base, baseStart, baseEnd, delta, end, target, targetEnd, Infinity) === done;
}

/**
 * Does the same as {@link applyDelta} in steps, so that others may have their turn in between. Each step makes about
 * `stepBytes`, or reads a quarter as many bytes of instructions. Yields how many bytes a step made.
 */
export function* applyDeltaPieces(
  base: Uint8Array,
  baseStart: number,
  baseEnd: number,
  delta: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  targetStart: number,
  targetEnd: number,
  stepBytes: number,
): Generator<number, boolean, undefined> {
  const progress = { at: start, to: targetStart };
  for (;;) {
    const before = progress.to;
    const outcome = runDelta(progress, base, baseStart, baseEnd, delta, end, target, targetEnd, stepBytes);
    if (outcome === broken) return false;
    yield progress.to - before;
    if (outcome === done) return true;
  }
}

function runDelta(
  progress: DeltaProgress,
  base: Uint8Array,
  baseStart: number,
  baseEnd: number,
  delta: Uint8Array,
  end: number,
  target: Uint8Array,
  targetEnd: number,
  stepBytes: number,
): typeof done | typeof more | typeof broken {
  let { at, to } = progress;
  const atMost = at + stepBytes / 4;
  const toMost = to + stepBytes;
  while (at < end) {
    if (at >= atMost || to >= toMost) {
      progress.at = at;
      progress.to = to;
      return more;
    }
    const instruction = delta[at++] as number;
    if (instruction & 0x80) {
      let offset = 0;
      let length = 0;
      // Bytes behind the end read as undefined, that is 0; `at` tells in the end.
      if (instruction & 0x01) offset = delta[at++] as number;
      if (instruction & 0x02) offset |= (delta[at++] as number) << 8;
      if (instruction & 0x04) offset |= (delta[at++] as number) << 16;
      if (instruction & 0x08) offset += (delta[at++] as number) * 0x1000000;
      if (instruction & 0x10) length = delta[at++] as number;
      if (instruction & 0x20) length |= (delta[at++] as number) << 8;
      if (instruction & 0x40) length |= (delta[at++] as number) << 16;
      if (length === 0) length = 0x10000;
      const from = baseStart + offset;
      if (at > end || from + length > baseEnd || to + length > targetEnd) return broken;
      if (length <= loopMax) for (let i = 0; i < length; i++) target[to + i] = base[from + i] as number;
      else if (base === target) target.copyWithin(to, from, from + length);
      else target.set(base.subarray(from, from + length), to);
      to += length;
    } else {
      if (instruction === 0 || at + instruction > end || to + instruction > targetEnd) return broken;
      if (instruction <= loopMax) for (let i = 0; i < instruction; i++) target[to + i] = delta[at + i] as number;
      else target.set(delta.subarray(at, at + instruction), to);
      at += instruction;
      to += instruction;
    }
  }
  progress.to = to;
  return to === targetEnd ? done : broken;
}

/** Small parts of a result are gathered up to so many bytes. */
const gatheredMax = 64 * 1024;

/**
 * The result of a delta in parts, each valid until the next one, without holding the result. Answers false where
 * {@link applyDelta} does.
 */
export function* deltaParts(
  base: Uint8Array,
  delta: Uint8Array,
  start: number,
  end: number,
  resultSize: number,
): Generator<Uint8Array, boolean, undefined> {
  const gathered = new Uint8Array(gatheredMax);
  let filled = 0;
  let made = 0;
  for (let at = start; at < end;) {
    const instruction = delta[at] as number;
    let next = at + 1;
    let size = instruction;
    let from = next;
    let source = delta;
    if (instruction & 0x80) {
      from = 0;
      for (let bit = 0; bit < 4; bit++)
        if (instruction & (1 << bit)) from += (delta[next++] as number) * 2 ** (8 * bit);
      size = 0;
      for (let bit = 0; bit < 3; bit++) if (instruction & (0x10 << bit)) size |= (delta[next++] as number) << (8 * bit);
      size ||= 0x10000;
      source = base;
    } else {
      next += size;
    }
    made += size;
    if (size === 0 || next > end || made > resultSize || from + size > source.length) return false;
    if (filled + size > gatheredMax) {
      yield gathered.subarray(0, filled);
      filled = 0;
    }
    if (size > gatheredMax) yield source.subarray(from, from + size);
    else {
      for (let i = 0; i < size; i++) gathered[filled + i] = source[from + i] as number;
      filled += size;
    }
    at = next;
  }
  yield gathered.subarray(0, filled);
  return made === resultSize;
}
