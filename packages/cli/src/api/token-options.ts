import { CliError, type Invocation, type OptionSpec } from '@packhouse/command';

/** The option of commands that make a token. Each adds its default. */
export const ttlOption: OptionSpec = {
  name: 'ttl',
  value: 'TIME',
  description: 'Lifetime: seconds, or a number with m, h or d',
};

/** Parses seconds, or a number with the suffix `m`, `h` or `d`. The service checks the bounds (TOKEN-009). */
export function ttlOf(invocation: Invocation): number {
  const text = invocation.text('ttl') ?? '';
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (digits === undefined)
    throw new CliError(
      'usage',
      `--ttl cannot be "${text}".`,
      'Write seconds, or a number with m, h or d, such as 12h.',
    );
  return Number(digits) * ({ m: 60, h: 3600, d: 86_400 }[unit ?? ''] ?? 1);
}

/** The option of commands that list tokens. */
export const tokenStateOption: OptionSpec = {
  name: 'state',
  value: 'STATE',
  choices: ['active', 'expired', 'revoked', 'all'],
  description: 'Which ones',
  default: 'active',
};
