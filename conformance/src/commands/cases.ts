import { CliError, type Invocation, type Io, type OptionSpec } from '@packhouse/command';
import type { Case } from '../core/case.ts';
import { selectCases } from '../run/select.ts';

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
export async function chosenCases(invocation: Invocation, io: Io): Promise<readonly Case[]> {
  // Loaded on demand, so that other commands start fast.
  const { cases } = await import('../cases/index.ts');
  try {
    return selectCases(cases, invocation.texts('only'));
  } catch (error) {
    throw new CliError(
      'usage',
      `--only is of no use: ${error instanceof Error ? error.message : 'unknown reason'}.`,
      `"${io.program} list" shows all cases.`,
    );
  }
}
