/**
 * Runs an action and counts the characters of strings that it reads. A method that reads a single character counts 1;
 * any other method of strings or regular expressions counts the whole length. So work inside built-in methods counts,
 * too.
 */
export const countSteps = (action: () => unknown): number => {
  let steps = 0;
  const single = new Set(['charCodeAt', 'codePointAt', 'charAt', 'at']);
  const restore: (() => void)[] = [];
  const watch = (prototype: object, cost: (name: PropertyKey, self: unknown, args: unknown[]) => number): void => {
    for (const name of Reflect.ownKeys(prototype)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(prototype, name);
      const original: unknown = descriptor?.value;
      if (descriptor === undefined || typeof original !== 'function' || name === 'constructor') continue;
      restore.push(() => Object.defineProperty(prototype, name, descriptor));
      Object.defineProperty(prototype, name, {
        ...descriptor,
        value(this: unknown, ...args: unknown[]): unknown {
          steps += cost(name, this, args);
          return Reflect.apply(original, this, args);
        },
      });
    }
  };
  try {
    watch(String.prototype, (name, self) => (typeof name === 'string' && single.has(name) ? 1 : String(self).length));
    watch(RegExp.prototype, (_, __, args) => String(args[0]).length);
    action();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
};
