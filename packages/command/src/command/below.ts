import type { Command } from './command.ts';

/**
 * Returns commands of one program as commands of another, below a word: `run` becomes `conformance run`. They name
 * themselves, in help and in hints, as the user calls them there.
 */
export function below(word: string, commands: readonly Command[]): readonly Command[] {
  return commands.map((command) => ({
    ...command,
    words: [word, ...command.words],
    examples: command.examples.map((example) => `${word} ${example}`),
    run: (invocation, io) => command.run(invocation, { ...io, program: `${io.program} ${word}` }),
  }));
}
