import type { Case } from '@packhouse/conformance';
import { CliError } from '../../output/cli-error.ts';
import type { Invocation, OptionSpec } from '../../command/command.ts';

export const onlyOption: OptionSpec = {
  name: 'only',
  value: 'PATTERN',
  repeatable: true,
  description: 'The cases with such an id, "*" standing for anything, or those of a requirement id',
};

/** The cases that the options name. @throws {CliError} kind `usage` if a pattern fits none. */
export async function chosenCases(invocation: Invocation): Promise<readonly Case[]> {
  // Loaded here, so that the other commands start at once.
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
