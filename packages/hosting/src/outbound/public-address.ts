/**
 * Whether an IP address is one that anybody may be sent to (REPO-129): neither this host nor a network behind it. By the
 * special-purpose registries of IANA (RFC 6890); whatever is no address is not public.
 *
 * @param address in text form; of IPv6 without brackets.
 */
export function isPublicAddress(address: string): boolean {
  const v4 = parseIpv4(address);
  if (v4 !== undefined) return isPublicIpv4(v4);
  const v6 = parseIpv6(address);
  return v6 !== undefined && isPublicIpv6(v6);
}

/** First address and length of the prefix. */
type Block = readonly [address: string, bits: number];

const closedIpv4: readonly Block[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays of 6to4.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, and what is reserved above it.
  ['224.0.0.0', 3],
];

const closedIpv6: readonly Block[] = [
  // Assignments for protocols, Teredo among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries an address of IPv4.
  ['2002::', 16],
  ['3fff::', 20],
];

function isPublicIpv4(address: bigint): boolean {
  return !closedIpv4.some(([first, bits]) => isWithin(address, parseIpv4(first) as bigint, 32 - bits));
}

function isPublicIpv6(address: bigint): boolean {
  const embedded = address & 0xffff_ffffn;
  // Mapped, and translated by a NAT64: what counts is the address of IPv4.
  for (const prefix of ['::ffff:0:0', '64:ff9b::']) {
    if (isWithin(address, parseIpv6(prefix) as bigint, 32)) return isPublicIpv4(embedded);
  }
  // Nothing else is routed in public.
  if (!isWithin(address, parseIpv6('2000::') as bigint, 125)) return false;
  return !closedIpv6.some(([first, bits]) => isWithin(address, parseIpv6(first) as bigint, 128 - bits));
}

/** `host`: how many bits may differ at the end. */
function isWithin(address: bigint, first: bigint, host: number): boolean {
  return address >> BigInt(host) === first >> BigInt(host);
}

function parseIpv4(text: string): bigint | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  const bytes = match.slice(1).map(Number);
  return bytes.some((byte) => byte > 255) ? undefined : bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return undefined;
  // Without the brackets, and in the one form that URLs have: groups alone, the longest zeros left out.
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
