import { CliError } from '@packhouse/command';

export type Tags = Readonly<Record<string, string>>;

/**
 * Reads `KEY=VALUE` words; values may contain `=`. The service checks keys and values.
 *
 * @throws {CliError} kind `usage`.
 */
export function tagsOf(words: readonly string[]): Tags {
  const tags = new Map<string, string>();
  let before: string | undefined;
  for (const word of words) {
    const operator = word.indexOf('=');
    if (operator === -1) {
      throw new CliError(
        'usage',
        `"${word}" has no "=".`,
        before === undefined
          ? `Write KEY=VALUE; "${word}=" sets the empty value.`
          : `Write KEY=VALUE, and quote a value with spaces: "${before} ${word}".`,
      );
    }
    const key = word.slice(0, operator);
    if (key === '') throw new CliError('usage', `"${word}" has no key.`, 'Write KEY=VALUE.');
    if (tags.has(key))
      throw new CliError('usage', `The key "${key}" is there twice.`, 'A key has one value: leave one out.');
    tags.set(key, word.slice(operator + 1));
    before = word;
  }
  return Object.fromEntries(tags);
}

/** Merges tags: `set` overrides `current`, then `removed` keys are dropped. */
export function merged(current: Tags, set: Tags, removed: readonly string[]): Tags {
  const tags = new Map([...Object.entries(current), ...Object.entries(set)]);
  for (const key of removed) tags.delete(key);
  return Object.fromEntries(tags);
}
