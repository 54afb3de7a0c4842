/** One packet of gitprotocol-common(5), for people. */
export interface PacketRow {
  /** The four digits of the length; empty for other bytes. */
  readonly length: string;
  /** The kind, such as `flush`, `ref` or `band 2, progress`. */
  readonly kind: string;
  readonly text: string;
}

/** Packets that are shown. */
const rowsMax = 200;
/** Bytes of binary data that are shown. */
const bytesShown = 32;

const special: Readonly<Record<number, string>> = { 0: 'flush', 1: 'delimiter', 2: 'response end' };
const bands: Readonly<Record<number, string>> = { 1: 'data', 2: 'progress', 3: 'error' };

/**
 * Decodes the start of a body that should consist of packets. Never throws: other bytes become a row.
 *
 * @param isInBand true for packets within a packet. These hold no further ones, which a hostile service could nest.
 */
export function packetRows(body: Uint8Array, isInBand: boolean = false): readonly PacketRow[] {
  const rows: PacketRow[] = [];
  for (let at = 0; at < body.byteLength;) {
    const rest = Buffer.from(body.buffer, body.byteOffset + at, body.byteLength - at);
    if (rows.length >= rowsMax) {
      rows.push({ length: '', kind: 'more', text: `${rest.byteLength} bytes more` });
      break;
    }
    const digits = rest.toString('latin1', 0, 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
    const kind = special[length];
    if (kind !== undefined) rows.push({ length: digits, kind, text: '' });
    else if (length < 4) {
      rows.push({ length: '', ...unframed(rest) });
      break;
    } else if (length > rest.byteLength) {
      rows.push({ length: digits, kind: 'cut', text: described(rest.subarray(4)) });
      break;
    } else rows.push(...packet(digits, rest.subarray(4, length), isInBand));
    at += Math.max(length, 4);
  }
  return rows;
}

function packet(length: string, payload: Buffer, isInBand: boolean): readonly PacketRow[] {
  const band = isInBand ? undefined : bands[payload[0] ?? 0];
  if (band !== undefined) return inBand(length, `band ${payload[0]}, ${band}`, payload.subarray(1));
  const text = textOf(payload);
  if (text === undefined) return [{ length, kind: 'binary', text: described(payload) }];
  if (text.startsWith('ERR ')) return [{ length, kind: 'error', text }];
  const [line = '', capabilities] = text.split('\0');
  const kind = /^[0-9a-f]{40} [0-9a-f]{40} /.test(line) ? 'command' : /^[0-9a-f]{40} /.test(line) ? 'ref' : 'line';
  return [
    { length, kind, text: line },
    ...(capabilities === undefined ? [] : [{ length: '', kind: 'capabilities', text: capabilities.trim() }]),
  ];
}

/** The first band has a pack, or packets again: the report of a push. */
function inBand(length: string, kind: string, data: Buffer): readonly PacketRow[] {
  if (!kind.startsWith('band 1') || !/^[0-9a-f]{4}/.test(data.toString('latin1', 0, 4))) {
    return [{ length, kind, text: packText(data) ?? described(data) }];
  }
  return [
    { length, kind, text: '' },
    ...packetRows(data, true).map((row) => ({ ...row, kind: `within: ${row.kind}` })),
  ];
}

function unframed(bytes: Buffer): Omit<PacketRow, 'length'> {
  const pack = packText(bytes);
  return pack === undefined ? { kind: 'no packet', text: described(bytes) } : { kind: 'pack', text: pack };
}

/** Describes the start of a pack (gitformat-pack(5)). */
function packText(bytes: Buffer): string | undefined {
  if (bytes.byteLength < 12 || bytes.toString('latin1', 0, 4) !== 'PACK') return undefined;
  return `pack of version ${bytes.readUInt32BE(4)} with ${bytes.readUInt32BE(8)} objects; ${bytes.byteLength} bytes of it`;
}

function described(bytes: Buffer): string {
  const text = textOf(bytes);
  if (text !== undefined) return text;
  const hex = bytes.subarray(0, bytesShown).toString('hex').replaceAll(/../g, '$& ').trim();
  return `${bytes.byteLength} bytes: ${hex}${bytes.byteLength > bytesShown ? ' ...' : ''}`;
}

/** Returns UTF-8 text without its line feed; undefined for other bytes and for control characters. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text.replace(/\n$/, '');
  } catch {
    return undefined;
  }
}
