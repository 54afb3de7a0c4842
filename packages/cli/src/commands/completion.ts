import type { Command } from '@packhouse/command';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/**
 * Creates the `completion` command. `commands` is a function because the table that it returns contains this command.
 */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    words: ['completion'],
    summary: 'Print a script that completes the command in a shell',
    details: `The script completes commands, options, their values and paths. Load it in the start file of the shell:

    source <(packhouse completion bash)    # ~/.bashrc
    source <(packhouse completion zsh)     # ~/.zshrc, after compinit
    packhouse completion fish | source     # ~/.config/fish/config.fish`,
    arguments: [{ name: 'SHELL', description: 'the shell', choices: Object.keys(shells) }],
    options: [],
    examples: ['completion bash'],
    async run(invocation, io) {
      io.out(shells[invocation.argument('SHELL')]?.(commands()) ?? '');
      return 0;
    },
  };
}
