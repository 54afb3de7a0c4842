import { cloudflare } from '../dialect/cloudflare.ts';
import type { BindingEntry, Dialect } from '../dialect/dialect.ts';
import { neutral } from '../dialect/neutral.ts';
import { isRecord, problemsOf, ConfigError, type Member, type ValueType } from '@packhouse/base';

/** Reserved words, which have the form of identifiers. */
const reserved =
  'await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield';

const bindingList: ValueType = {
  kind: 'list',
  of: {
    kind: 'object',
    members: {
      binding: {
        type: {
          kind: 'string',
          form: `(?!(?:${reserved})$)[\\p{ID_Start}$_][\\p{ID_Continue}$]*`,
          says: 'a JavaScript identifier',
        },
        description: 'The name on env.',
        required: true,
      },
      namespace: {
        type: {
          kind: 'string',
          form: '[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9._])?',
          says: 'the name of a namespace: letters, digits, ".", "_" and "-", the first a letter or digit, the last no "-"',
        },
        description: 'The namespace (REPO-060); it need not exist.',
        required: true,
      },
      remote: { type: { kind: 'boolean' }, description: 'In development, whether to talk to the deployed service.' },
    },
  },
};

const dialects: readonly Dialect[] = [neutral, cloudflare];

/** The list of bindings under the key of each dialect (REPO-024), and a member for only one runtime. */
export const bindingMembers: Readonly<Record<string, Member>> = {
  ...Object.fromEntries(
    dialects.map(({ name, bindingKey }) => [
      bindingKey,
      {
        type: bindingList,
        description: `Bindings for code in the process of the service, in the dialect "${name}" (BIND-001). The command that serves has no such code.`,
      },
    ]),
  ),
  compatibility_date: {
    type: { kind: 'string', form: '\\d{4}-\\d{2}-\\d{2}', says: 'a date as YYYY-MM-DD' },
    description: 'For Workers alone (BIND-005).',
  },
};

/** Returns the fault of a list of bindings that the form of its entries does not show; undefined without a fault. */
export function bindingProblem(document: Readonly<Record<string, unknown>>): string | undefined {
  for (const { bindingKey } of dialects) {
    const names = new Set<unknown>();
    for (const [index, { binding }] of ((document[bindingKey] ?? []) as readonly BindingEntry[]).entries()) {
      if (names.has(binding))
        return `${bindingKey}[${index}].binding: ${JSON.stringify(binding)} is the name of an earlier entry`;
      names.add(binding);
    }
  }
  return undefined;
}

/**
 * Reads the bindings of a runtime configuration, and ignores its other members (BIND-001, BIND-002). The length of a
 * namespace is checked when its binding is created.
 *
 * @throws {ConfigError} naming the first entry and member at fault.
 */
export function readBindings(
  config: Readonly<Record<string, unknown>>,
  { name, bindingKey }: Pick<Dialect, 'name' | 'bindingKey'>,
): readonly BindingEntry[] {
  for (const other of dialects) {
    if (other.bindingKey === bindingKey || !Object.hasOwn(config, other.bindingKey)) continue;
    throw new ConfigError(`${other.bindingKey}: in the dialect "${name}" the list of bindings is "${bindingKey}"`);
  }
  const list = config[bindingKey];
  if (list === undefined) return [];
  const [problem] = problemsOf(bindingList, list, bindingKey);
  const found = problem ?? (isRecord(config) ? bindingProblem(config) : undefined);
  if (found !== undefined) throw new ConfigError(found);
  return list as readonly BindingEntry[];
}
