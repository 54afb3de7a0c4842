import { describe, expect, it } from 'vitest';
import { formatCapability, parseCapabilities, parseGitProtocol, printable } from './capabilities.ts';

describe('parseGitProtocol', () => {
  it.each([
    [null, 0],
    [undefined, 0],
    ['', 0],
    ['version=0', 0],
    ['version=1', 1],
    ['version=2', 2],
    ['version=2:version=1', 2],
    ['version=1:version=2', 2],
    ['side=left:version=1:x', 1],
    ['version=3', 0],
    ['version=3:version=1', 1],
    ['version=22', 0],
    ['Version=2', 0],
  ] as const)('GIT-040: %j means version %i', (header, version) => {
    expect(parseGitProtocol(header)).toBe(version);
  });
});

describe('capabilities', () => {
  it('are names with or without a value, of which the first counts', () => {
    const list = parseCapabilities(
      ' multi_ack  agent=git/2.39=x symref=HEAD:refs/heads/a symref=other object-format=sha1 ',
    );
    expect([...list]).toEqual([
      ['multi_ack', ''],
      ['agent', 'git/2.39=x'],
      ['symref', 'HEAD:refs/heads/a'],
      ['object-format', 'sha1'],
    ]);
    expect(formatCapability(['agent', 'x'])).toBe('agent=x');
    expect(formatCapability('quiet')).toBe('quiet');
  });

  it('come into messages as one short line', () => {
    expect(printable('a\nb\x1b[31m\u2028\u202e')).toBe('a?b?[31m??');
    expect(printable('x'.repeat(300))).toBe(`${'x'.repeat(200)}...`);
  });
});
