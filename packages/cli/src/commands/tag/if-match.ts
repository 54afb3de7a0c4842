import { CliError, type Invocation } from '@packhouse/command';

/**
 * Returns the header `If-Match` for `--if-match`. Accepts an etag as the service prints it or as HTTP writes it.
 *
 * @throws {CliError} kind `usage` if no header can hold the text.
 */
export function ifMatchIn(invocation: Invocation): string | undefined {
  const text = invocation.text('if-match');
  if (text === undefined || /^[\x20-\x7e]+$/.test(text)) return text;
  throw new CliError('usage', '--if-match has characters that no etag has.', 'Write it as "tag get" shows it: v1:...');
}
