import ipaddr from 'ipaddr.js';

const nat64 = ipaddr.IPv6.parse('64:ff9b::');
/** The only block that IANA has given out for unicast (RFC 4291 §2.4). */
const routed = ipaddr.IPv6.parse('2000::');

/**
 * Checks whether an IP address is in no special-purpose range of IANA (RFC 6890), so that it is neither this host nor a
 * network behind it (REPO-129). Text that is no address is not public.
 *
 * @param address in text form; IPv6 without brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isUnicast(ipaddr.IPv4.parse(address));
  // The library reads more forms than a client does, and `::8.8.8.8` as 8.8.8.8: it gets the one form that URLs have.
  if (!/^[0-9a-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]/`)) return false;
  const v6 = ipaddr.IPv6.parse(new URL(`http://[${address}]/`).hostname.slice(1, -1));
  // Mapped and translated addresses lead to the IPv4 address in them.
  if (v6.isIPv4MappedAddress() || v6.match(nat64, 96)) return isUnicast(new ipaddr.IPv4(v6.toByteArray().slice(12)));
  return v6.match(routed, 3) && isUnicast(v6);
}

const isUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => address.range() === 'unicast';
