import { fc, it as property } from '@fast-check/vitest';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
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

const blocks = {
  ipv4: [
    ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
    ['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ['224.0.0.0/3'],
  ].flat(),
  ipv6: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
};
const listOf = (family: keyof typeof blocks, ...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const [first = '', bits] of subnets.map((one) => one.split('/'))) list.addSubnet(first, Number(bits), family);
  return list;
};
const closedV4 = listOf('ipv4', ...blocks.ipv4);
const closedV6 = listOf('ipv6', ...blocks.ipv6);
const routed = listOf('ipv6', '2000::/3');
const embedding = listOf('ipv6', '::ffff:0:0/96', '64:ff9b::/96');
const isClosedV6 = (address: string): boolean =>
  closedV6.check(address, 'ipv6') || (!routed.check(address, 'ipv6') && !embedding.check(address, 'ipv6'));

/** Addresses that begin with the numbers of a block. */
const nearV4 = fc
  .tuple(fc.constantFrom(...blocks.ipv4), fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }), fc.nat(2))
  .map(([block, noise, kept]) => [...block.split('.').slice(0, kept + 1), ...noise].slice(0, 4).join('.'));
const group = fc.nat(0xffff).map((value) => value.toString(16));
const nearV6 = fc
  .tuple(fc.constantFrom('2001', '2001:1ff', '2001:db8', '2002', '3fff', '64:ff9b', '64:ff9b:1', 'fe80'), group, group)
  .map(([head, ...tail]) => `${head}:${tail.join(':')}::1`);

describe('isPublicAddress', () => {
  it.each(closed)('REPO-129: %j is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(open)('REPO-129: %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  property.prop([fc.ipV4()])('REPO-129: agrees with the lists of another implementation', (address) => {
    expect(isPublicAddress(address)).toBe(!closedV4.check(address));
    expect(isPublicAddress(`::ffff:${address}`)).toBe(!closedV4.check(address));
  });

  property.prop([fc.oneof(nearV4, nearV6, fc.ipV6())], { numRuns: 1_000 })(
    'REPO-129: refuses every address of a special-purpose range',
    (address) => {
      if (isIPv4(address) && closedV4.check(address)) expect(isPublicAddress(address)).toBe(false);
      if (isIPv6(address) && isClosedV6(address)) expect(isPublicAddress(address)).toBe(false);
    },
  );

  it.each(['192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'])(
    'REPO-129: refuses %s, which each network may route to its own host (RFC 7534, RFC 7535, RFC 7450)',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
    },
  );
});
