import { fc, it as property } from '@fast-check/vitest';
import { BlockList, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const closed = [
  ['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ['127.255.255.255', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.2.7', '192.168.1.1'],
  ['198.18.0.0', '198.19.255.255', '198.51.100.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::a00:1', '64:ff9b:1::1', '100::1'],
  ['fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:1ff::1'],
  ['2001:db8::1', '2002:7f00:1::', '2002:808:808::', '3fff::1', '4000::1', '::127.0.0.1', '::8.8.8.8'],
  ['', 'localhost', '1.2.3', '256.1.1.1', '1.2.3.4.5', '[::1]', '2a00::/12', '0x7f.1', ':::', '1::2::3', '8.8.8.8 '],
].flat();
const open = [
  ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ['128.0.0.1', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.167.255.255', '198.17.255.255', '198.20.0.0'],
  ['223.255.255.255', '2606:4700:4700::1111', '2a00:1450:4001::', '2001:200::', '2003::1', '::ffff:8.8.8.8'],
  ['::FFFF:1.1.1.1', '64:ff9b::808:808', '64:ff9b::8.8.8.8', '2001:4860:4860:0:0:0:0:8888'],
].flat();

describe('isPublicAddress', () => {
  it.each(closed)('REPO-129: not %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(open)('REPO-129: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  property.prop([fc.ipV4()])('REPO-129: agrees with the lists of another implementation', (address) => {
    const list = new BlockList();
    const blocks = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'];
    const more = ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'];
    for (const block of [...blocks, ...more, '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3']) {
      const [first = '', bits] = block.split('/');
      list.addSubnet(first, Number(bits), 'ipv4');
    }
    expect(isPublicAddress(address)).toBe(!list.check(address));
    expect(isPublicAddress(`::ffff:${address}`)).toBe(!list.check(address));
  });

  property.prop([fc.ipV6()])('REPO-129: of IPv6, nothing outside of what is routed', (address) => {
    const list = new BlockList();
    list.addSubnet('2000::', 3, 'ipv6');
    expect(isIPv6(address)).toBe(true);
    const isMapped = /^(0*:)*(ffff|64:ff9b):/i.test(address);
    if (!isMapped && isPublicAddress(address)) expect(list.check(address, 'ipv6')).toBe(true);
  });
});
