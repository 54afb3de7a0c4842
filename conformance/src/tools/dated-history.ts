import { blob, made, tree, type MadeCommit, type MadeObject } from './made-objects.ts';

/** A commit with a time in Unix seconds. Its tree has one new file and those of its first parent. */
export interface DatedCommit extends MadeCommit {
  readonly at: number;
  readonly parents: readonly DatedCommit[];
  /** All files of its tree, by path. */
  readonly files: Readonly<Record<string, MadeObject>>;
}

/** Makes a commit on top of others. The message is also name and content of the new file. */
export function dated(message: string, at: number, ...parents: readonly DatedCommit[]): DatedCommit {
  const file = blob(`${message}\n`);
  const names = { ...parents[0]?.files, [message]: file };
  const files = Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)));
  const root = tree(files);
  const person = `Ada Example <ada@example.com> ${at} +0000`;
  const lines = [
    `tree ${root.oid}`,
    ...parents.map(({ oid }) => `parent ${oid}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  const node = made('commit', `${lines.join('\n')}\n\n${message}\n`);
  return { ...node, root, file, all: [node, root, ...Object.values(files)], at, parents, files };
}
