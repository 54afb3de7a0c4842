import { shellWord, type Invocation, type OptionSpec } from '@packhouse/command';

/** Options of a command line by their names: the value, all values of a repeatable one, or true for a switch. */
export type GivenOptions = Readonly<Record<string, string | readonly string[] | true>>;

/** Returns the options whose value is not the default. */
export function givenOptions(invocation: Invocation, specs: readonly OptionSpec[]): GivenOptions {
  const given: Record<string, string | readonly string[] | true> = {};
  for (const { name, value, repeatable, default: usual } of specs) {
    const text = value === undefined ? undefined : invocation.text(name);
    const texts = repeatable === true ? invocation.texts(name) : [];
    if (value === undefined) {
      if (invocation.flag(name)) given[name] = true;
    } else if (repeatable === true) {
      if (texts.length > 0) given[name] = texts;
    } else if (text !== undefined && text !== usual) given[name] = text;
  }
  return given;
}

/** Returns options as words of a shell. */
export function optionWords(given: GivenOptions): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const texts = typeof value === 'string' ? [value] : value;
    return texts.map((text) => `--${name} ${shellWord(text)}`);
  });
}

/**
 * Returns an invocation that falls back on the options of an earlier one. `invocation` must come from specs without
 * defaults, which `specs` has.
 */
export function fallingBack(invocation: Invocation, earlier: GivenOptions, specs: readonly OptionSpec[]): Invocation {
  return {
    ...invocation,
    text(name) {
      const value = earlier[name];
      const usual = specs.find((spec) => spec.name === name)?.default;
      return invocation.text(name) ?? (typeof value === 'string' ? value : usual);
    },
    texts(name) {
      const value = earlier[name];
      const texts = invocation.texts(name);
      return texts.length > 0 || !Array.isArray(value) ? texts : (value as readonly string[]);
    },
    flag: (name) => invocation.flag(name) || earlier[name] === true,
  };
}
