import { seededRandom } from './random.ts';
import { editedLines, newLines } from './text.ts';

const folders = 6;
const filesInFolder = 10;
const firstSecond = 1_700_000_000;

/**
 * A stream for `git fast-import`: one line of `count` commits after a first one that brings 60 text files, each with a
 * small edit of one file, as many small pushes make it. The first commit also has a file of `noise` bytes that do not
 * compress; default 0: it has none.
 */
export function* smallCommitsStream(count: number, noise = 0): Generator<Buffer | string> {
  const random = seededRandom(41);
  const files = Array.from({ length: folders * filesInFolder }, () => newLines(random));
  const path = (index: number): string => `part-${index % folders}/file-${index}.txt`;
  const change = (index: number): string => {
    const text = `${files[index]?.join('\n') ?? ''}\n`;
    return `M 100644 inline ${path(index)}\ndata ${text.length}\n${text}\n`;
  };
  const begin = (number: number): string => {
    const message = `Push ${number}\n`;
    const person = `Bench <bench@example.test> ${firstSecond + number} +0000`;
    return `commit refs/heads/main\ncommitter ${person}\ndata ${message.length}\n${message}`;
  };
  yield begin(0);
  for (const index of files.keys()) yield change(index);
  if (noise > 0) {
    yield `M 100644 inline noise.bin\ndata ${noise}\n`;
    yield seededRandom(43).bytes(noise);
    yield '\n';
  }
  for (let number = 1; number <= count; number++) {
    const index = random.below(files.length);
    files[index] = editedLines(random, files[index] ?? []);
    yield `${begin(number)}${change(index)}`;
  }
}
