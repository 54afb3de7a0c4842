import type { Command } from '@packhouse/command';
import { commandsByFirstWord, helpOption, inQuotes, valuesOf, type Values } from './values.ts';

/** Returns the completion script for Bash 3.2 and later. */
export function bashCompletion(commands: readonly Command[]): string {
  const groups = commandsByFirstWord(commands);
  const longer = [...groups].filter(([, [first]]) => first !== undefined && first.words.length > 1);
  const firsts = [...groups.keys(), 'help'].join(' ');
  const verbs = longer.map(
    ([first, members]) => `    ${first}) words='${members.map(({ words }) => words[1]).join(' ')} --help' ;;`,
  );
  return `# Completion of packhouse for bash. Made by "packhouse completion bash".
_packhouse() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local at='' depth=1 words='' paths='' i IFS=$' \\t\\n'
  # Bash makes "=" a word.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "\${COMP_WORDS[1]}" in
    ${longer.map(([first]) => first).join(' | ')}) depth=2 ;;
  esac
  for ((i = 1; i < COMP_CWORD && i <= depth; i++)); do at="$at\${at:+ }\${COMP_WORDS[i]}"; done
  case "$at" in
    '') words='${firsts} --help --version' ;;
    help) words='${firsts}' ;;
${verbs.join('\n')}
${commands.map(commandCase).join('\n')}
  esac
  if [[ -n $paths && $cur != -* ]]; then
    compopt -o filenames 2> /dev/null
    IFS=$'\\n'
    COMPREPLY=($(compgen "$paths" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _packhouse packhouse
`;
}

function commandCase(command: Command): string {
  const options = [...command.options, helpOption];
  const values = options.flatMap((option) => {
    if (option.value === undefined) return [];
    const short = option.short === undefined ? '' : `-${option.short} | `;
    return `        ${short}--${option.name})${assignment(valuesOf(option))} ;;\n`;
  });
  const offered = command.arguments.map(valuesOf).find(({ length }) => length > 0) ?? [];
  const names = options.map(({ name }) => `--${name}`);
  const rest =
    typeof offered === 'string' ? `${assignment(names)}${assignment(offered)}` : assignment([...offered, ...names]);
  return `    ${inQuotes(command.words.join(' '))})
      case "$prev" in
${values.join('')}        *)${rest} ;;
      esac
      ;;`;
}

function assignment(values: Values): string {
  if (values === 'files') return ' paths=-f';
  if (values === 'folders') return ' paths=-d';
  return values.length === 0 ? '' : ` words=${inQuotes(values.join(' '))}`;
}
