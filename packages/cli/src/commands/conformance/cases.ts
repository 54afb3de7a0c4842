import type { Case } from '@packhouse/conformance';
import { CliError } from '../../output/cli-error.ts';
import type { Invocation, OptionSpec } from '../../command/command.ts';

export const onlyOption: OptionSpec = {
  name: 'only',
  value: 'PATTERN',
  repeatable: true,
  description: 'The cases with such an id, "*" standing for anything, or those of a requirement id',
};

/**
 * Returns the cases that the options select.
 *
 * @throws {CliError} kind `usage` if a pattern matches no case.
 */
export async function chosenCases(invocation: Invocation): Promise<readonly Case[]> {
  // Loaded on demand, so that other commands start fast.
  const { cases, selectCases } = await import('@packhouse/conformance');
  try {
    return selectCases(cases, invocation.texts('only'));
  } catch (error) {
    throw new CliError(
      'usage',
      `--only is of no use: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      '"packhouse conformance list" shows all cases.',
    );
  }
}
