/** What is counted: each call costs one step and the characters of the text it works on, since each is one walk. */
const stringMethods = ['split', 'slice', 'replace', 'replaceAll', 'includes', 'startsWith', 'indexOf'] as const;
const patternMethods = ['exec', 'test'] as const;

/**
 * Steps that a function takes with texts: calls of what the language has for them, and characters these walk over.
 * None of the patterns of this package has a repetition within another, or one that may have to begin anew.
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
