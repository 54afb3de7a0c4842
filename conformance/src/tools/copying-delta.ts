/** Deltas like those of Git for texts that share their beginning and end. */

/** Returns a delta that copies the common beginning and end of two texts, and inserts the part between. */
export function copyingDelta(base: Uint8Array, target: Uint8Array): Buffer {
  const most = Math.min(base.length, target.length);
  let start = 0;
  while (start < most && base[start] === target[start]) start++;
  let end = 0;
  while (end < most - start && base[base.length - 1 - end] === target[target.length - 1 - end]) end++;
  return Buffer.concat([
    size(base.length),
    size(target.length),
    ...copies(0, start),
    ...inserts(target.subarray(start, target.length - end)),
    ...copies(base.length - end, end),
  ]);
}

/** Encodes the distance to the base, which precedes an offset delta in a pack. */
export function offsetDistance(distance: number): Buffer {
  const bytes = [distance % 128];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(128 | (--rest % 128));
  }
  return Buffer.from(bytes);
}

function size(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

function copies(from: number, length: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < length; at += 65_535) {
    const offset = from + at;
    const part = Math.min(65_535, length - at);
    const fields = [offset, offset >>> 8, offset >>> 16, offset >>> 24, part, part >>> 8].map((value) => value & 255);
    parts.push(Buffer.from([0xbf, ...fields]));
  }
  return parts;
}

function inserts(bytes: Uint8Array): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 127) {
    const part = bytes.subarray(at, at + 127);
    parts.push(Buffer.from([part.length, ...part]));
  }
  return parts;
}
