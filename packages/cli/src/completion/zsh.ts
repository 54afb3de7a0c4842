import { argumentText, optionText, type ArgumentSpec, type Command, type OptionSpec } from '@packhouse/command';
import { commandsByFirstWord, groupSummary, helpOption, inQuotes, valuesOf, type Values } from './values.ts';

/** Returns the completion script for zsh: a function to autoload, or text to source after `compinit`. */
export function zshCompletion(commands: readonly Command[]): string {
  const groups = [...commandsByFirstWord(commands)];
  const longer = groups.filter(([, [first]]) => first !== undefined && first.words.length > 1);
  const firsts: readonly Described[] = [
    ...groups.map(([first, members]) => [first, groupSummary(members)] as const),
    ['help', helpOption.description],
  ];
  return `#compdef packhouse
# Completion of packhouse for zsh. Made by "packhouse completion zsh".
_packhouse() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(${described(firsts)})
    _describe command found
    return
  fi
  if (( CURRENT == 3 )); then
    case "$words[2]" in
${longer.map(([first, members]) => `      ${first}) found=(${described(members.map(({ words, summary }) => [words[1] as string, summary]))}) ;;\n`).join('')}    esac
    if (( $#found )); then
      _describe command found
      return
    fi
  fi
  case "$words[2] $words[3]" in
${commands.map(commandCase).join('')}  esac
}
if [[ "$funcstack[1]" == _packhouse ]]; then
  _packhouse "$@"
else
  compdef _packhouse packhouse
fi
`;
}

type Described = readonly [word: string, summary: string];

function described(rows: readonly Described[]): string {
  return rows.map(([word, summary]) => inQuotes(`${word}:${summary}`)).join(' ');
}

function commandCase(command: Command): string {
  const depth = command.words.length;
  const pattern = depth === 1 ? `${command.words[0]}\\ *` : inQuotes(command.words.join(' '));
  const specs = [...[...command.options, helpOption].flatMap(optionSpecs), ...command.arguments.map(argumentSpec)];
  return `    ${pattern})
      shift ${depth} words
      (( CURRENT -= ${depth} ))
      _arguments ${specs.map((spec) => ` \\\n        ${inQuotes(spec)}`).join('')}
      ;;
`;
}

function optionSpecs(option: OptionSpec): readonly string[] {
  const { name, short, value, repeatable = false } = option;
  const names = [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
  const before = repeatable ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
  const after = value === undefined ? '' : `:${escaped(value)}:${action(valuesOf(option))}`;
  return names.map((one) => {
    const assigned = value === undefined ? '' : one.startsWith('--') ? '=' : '+';
    return `${before}${one}${assigned}[${escaped(optionText(option))}]${after}`;
  });
}

function argumentSpec(argument: ArgumentSpec, index: number): string {
  const { optional = false, repeatable = false } = argument;
  const place = repeatable ? '*' : `${index + 1}${optional ? ':' : ''}`;
  return `${place}:${escaped(`${argument.name}: ${argumentText(argument)}`)}:${action(valuesOf(argument))}`;
}

function action(values: Values): string {
  if (values === 'files') return '_files';
  if (values === 'folders') return '_files -/';
  return values.length === 0 ? ' ' : `(${values.join(' ')})`;
}

/** Escapes a text for a specification of `_arguments`. */
function escaped(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}
