/** The results in the `unpack` line of a report, except for failures of the service itself. */

const reasons = [
  'ok',
  'missing pack',
  'bad pack header',
  'object count mismatch',
  'garbage after pack',
  'pack checksum mismatch',
  'corrupt (object|delta) at offset \\d+',
  '(missing base|invalid object|object collision) [0-9a-f]{40}',
  'truncated pack',
  'unsupported object format .*',
  'push certificates are not supported',
];
const limits = [
  '(file|object|commit|tag|delta chain|history) too large',
  'delta chain too deep',
  'too many (ref updates|push options|parents)',
  'push inflates to too much',
  'not enough memory',
  'storage limit exceeded',
];

/** Matches each result that sections 3, 7, 9 and 12 of git.md name. A limit may be followed by details. */
export const unpackResult: RegExp = new RegExp(`^(${reasons.join('|')}|(${limits.join('|')})(\\W.*)?)$`, 's');
