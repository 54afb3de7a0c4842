/** The same function, but so that no more than `most` of its calls go on at once: others wait in the order they came. */
export function fewAtOnce<Input, Output>(
  most: number,
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  let active = 0;
  const waiting: (() => void)[] = [];
  return async (input) => {
    if (active >= most) await new Promise<void>((begin) => void waiting.push(begin));
    else active += 1;
    try {
      return await work(input);
    } finally {
      // Who waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) active -= 1;
      else next();
    }
  };
}
