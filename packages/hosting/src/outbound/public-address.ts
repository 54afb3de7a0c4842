import ipaddr from 'ipaddr.js';

const nat64 = ipaddr.IPv6.parse('64:ff9b::');
/** The only block that IANA has assigned for unicast (RFC 4291 §2.4). */
const routed = ipaddr.IPv6.parse('2000::');

/**
 * Checks that an IP address is outside the special-purpose ranges of IANA (RFC 6890), so that it is neither this host
 * nor in a private network (REPO-129). Returns false for text that is not an address.
 *
 * @param address in text form, IPv6 without brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isUnicast(ipaddr.IPv4.parse(address));
  // The library accepts more forms than clients do, and reads `::8.8.8.8` as 8.8.8.8. So it gets the one form of URLs.
  if (!/^[0-9a-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return false;
  const v6 = ipaddr.IPv6.parse(new URL(`http://[${address}]/`).hostname.slice(1, -1));
  // Mapped and translated addresses lead to the IPv4 address in them.
  if (v6.isIPv4MappedAddress() || v6.match(nat64, 96)) return isUnicast(new ipaddr.IPv4(v6.toByteArray().slice(12)));
  return v6.match(routed, 3) && isUnicast(v6);
}

const isUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => address.range() === 'unicast';
