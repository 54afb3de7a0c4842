import { CliError } from '../../output/cli-error.ts';
import type { Invocation } from '../../command/command.ts';

/**
 * The header `If-Match` of `--if-match`, which may be written as the service shows an etag or as HTTP does.
 *
 * @throws {CliError} kind `usage`, for what no header can hold.
 */
export function ifMatchIn(invocation: Invocation): string | undefined {
  const text = invocation.text('if-match');
  if (text === undefined || /^[\x20-\x7e]+$/.test(text)) return text;
  throw new CliError('usage', '--if-match has characters that no etag has.', 'Write it as "tag get" shows it: v1:...');
}
