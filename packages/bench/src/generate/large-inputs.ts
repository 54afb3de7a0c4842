const person = (second: number): string => `Bench <bench@example.test> ${1_600_000_000 + second} +0000`;

/** Returns a stream for `git fast-import`: one commit with `count` files of a few bytes, in 1,000 folders. */
export function* manyFilesStream(count: number): Generator<string> {
  yield `commit refs/heads/main\ncommitter ${person(0)}\ndata 5\nFiles\n`;
  for (let number = 0; number < count; number++) {
    const text = String(number);
    const path = `area-${number % 32}/part-${Math.floor(number / 32) % 32}/${text}`;
    yield `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  }
}

/** Returns a stream for `git fast-import`: a line of `count` commits without files. */
export function* manyCommitsStream(count: number): Generator<string> {
  for (let number = 0; number < count; number++) {
    const text = String(number);
    yield `commit refs/heads/main\ncommitter ${person(number)}\ndata ${text.length}\n${text}\n`;
  }
}
