/** Counted methods. Each call costs one step plus the characters of its text, since each walks over the text once. */
const stringMethods = ['split', 'slice', 'replace', 'replaceAll', 'includes', 'startsWith', 'indexOf'] as const;
const patternMethods = ['exec', 'test'] as const;

/**
 * Counts the steps that a function takes with texts: calls of the language's methods, and characters that they walk
 * over. No pattern of this package nests repetitions or needs to restart a match.
 */
export function countSteps(run: () => void): number {
  let steps = 0;
  const restore: (() => void)[] = [];
  const watch = (holder: object, name: string, textOf: (self: unknown, args: readonly unknown[]) => unknown): void => {
    const original = Reflect.getOwnPropertyDescriptor(holder, name) ?? {};
    const call = original.value as (...args: unknown[]) => unknown;
    restore.push(() => Object.defineProperty(holder, name, original));
    const value = function counted(this: unknown, ...args: unknown[]): unknown {
      steps += 1 + String(textOf(this, args)).length;
      return Reflect.apply(call, this, args);
    };
    Object.defineProperty(holder, name, { ...original, value });
  };
  try {
    for (const name of stringMethods) watch(String.prototype, name, (self) => self);
    for (const name of patternMethods) watch(RegExp.prototype, name, (_, [text]) => text);
    watch(globalThis, 'decodeURIComponent', (_, [text]) => text);
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
}
