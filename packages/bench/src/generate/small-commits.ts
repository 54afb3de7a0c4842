import { seededRandom } from './random.ts';
import { editedLines, newLines } from './text.ts';

const folders = 6;
const filesInFolder = 10;
const firstSecond = 1_700_000_000;

/**
 * Returns a stream for `git fast-import`: a first commit with 60 text files, then a line of `count` commits. Each makes
 * a small edit to one file, like many small pushes. The first commit also has a file of `noise` bytes that do not
 * compress. Default: 0, which means no such file.
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
