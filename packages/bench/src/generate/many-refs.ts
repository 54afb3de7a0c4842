/** Returns a stream for `git fast-import`: 100 commits and `count` refs on them, nine branches per annotated tag. */
export function* manyRefsStream(count: number): Generator<string> {
  const commits = 100;
  for (let number = 1; number <= commits; number++) {
    const person = `Bench <bench@example.test> ${1_700_000_000 + number * 60} +0000`;
    const content = `line ${number}\n`;
    yield `commit refs/heads/main\nmark :${number}\ncommitter ${person}\ndata 5\nStep\n`;
    yield `M 100644 inline file.txt\ndata ${content.length}\n${content}\n`;
  }
  for (let number = 1; number < count; number++) {
    const mark = 1 + (number % commits);
    const name = String(number).padStart(6, '0');
    if (number % 10 === 0) {
      const person = `Bench <bench@example.test> ${1_700_010_000 + number} +0000`;
      yield `tag release/${name}\nfrom :${mark}\ntagger ${person}\ndata 8\nRelease\n\n`;
    } else {
      yield `reset refs/heads/topic/${name}\nfrom :${mark}\n\n`;
    }
  }
}
