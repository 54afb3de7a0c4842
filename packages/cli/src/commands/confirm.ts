import { CliError, type Invocation, type Io, type OptionSpec } from '@packhouse/command';

export const yesOption: OptionSpec = { name: 'yes', description: 'Do not ask first; needed where no terminal is' };

/**
 * Asks for confirmation before data is lost, unless `--yes` is given.
 *
 * @throws {CliError} kind `usage` if the answer is not yes, or there is no terminal to ask on.
 */
export async function confirm(invocation: Invocation, io: Io, question: string): Promise<void> {
  if (invocation.flag(yesOption.name)) return;
  if (io.ask === undefined) {
    throw new CliError(
      'usage',
      'This deletes data for good, and there is no terminal to ask on.',
      'Add --yes to delete it without a question.',
    );
  }
  const answer = await io.ask(`${question} [y/N] `);
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new CliError('usage', 'Nothing was deleted.', 'Answer y to delete it, or add --yes.');
}
