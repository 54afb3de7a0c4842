import { ContentReader } from '../content/content-reader.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { kindNumber, type ObjectKind } from '../object/kind.ts';
import type { MadeObject } from '../maintain/made-history.test.util.ts';
import type { StockGit } from '../pack/stock-git.test.util.ts';
import { ArchiveContent, type ArchiveFormat, type ArchiveRequest } from './archive-content.ts';

/** A file of a made commit: bytes of the mode, and what it has. */
export interface MadeFile {
  readonly path: string;
  readonly content: Uint8Array | string;
  /** Default 100644. A submodule has the id of a commit as content. */
  readonly mode?: '100644' | '100755' | '120000' | '160000';
}

export interface MadeCommit {
  readonly files: readonly MadeFile[];
  readonly message?: string | Uint8Array;
  readonly author?: string;
  readonly committer?: string;
}

/** Makes a commit of these files on `main` of stock git, and returns its id. */
export function commitFiles(git: StockGit, made: MadeCommit): string {
  const { files, message = 'Message\n', author = 'A <a@example.com> 1700000000 +0100' } = made;
  const parts: Uint8Array[] = [Buffer.from(`commit refs/heads/main\nauthor ${author}\n`)];
  parts.push(Buffer.from(`committer ${made.committer ?? 'C <c@example.com> 1700000060 -0330'}\n`));
  const text = Buffer.from(message as Uint8Array);
  parts.push(Buffer.from(`data ${text.length}\n`), text, Buffer.from('\ndeleteall\n'));
  for (const { path, content, mode = '100644' } of files) {
    const name = `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
    if (mode === '160000') parts.push(Buffer.from(`M 160000 ${content as string} ${name}\n`));
    else {
      const body = Buffer.from(content as Uint8Array);
      parts.push(Buffer.from(`M ${mode} inline ${name}\ndata ${body.length}\n`), body, Buffer.from('\n'));
    }
  }
  git.run(['fast-import', '--quiet', '--force'], Buffer.concat(parts));
  git.run(['symbolic-ref', 'HEAD', 'refs/heads/main']);
  return git.run(['rev-parse', 'main']).toString().trim();
}

/** Pushes all objects and refs of stock git into a repository in memory. */
export async function repositoryOf(git: StockGit): Promise<MaintainedRepository> {
  const ids = git.run(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
  const bytes = git.run(['cat-file', '--batch'], ids);
  const objects = new Map<string, MadeObject>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const [id = '', kind = '', size = ''] = bytes.toString('latin1', at, end).split(' ');
    const body = new Uint8Array(bytes.subarray(end + 1, end + 1 + Number(size)));
    objects.set(id, { id, kind: kindNumber[kind as ObjectKind], body, links: [] });
    at = end + 2 + Number(size);
  }
  const repository = new MaintainedRepository(100_000);
  const refs = git.run(['for-each-ref', '--format=%(objectname) %(refname)']).toString().trim().split('\n');
  const commands = refs.map((line) => {
    const [id = '', ref = ''] = line.split(' ');
    return { ref, new: objects.get(id) as MadeObject };
  });
  await repository.push(commands, [...objects.values()]);
  return repository;
}

export interface WantedArchive extends Partial<Omit<ArchiveRequest, 'path' | 'prefix'>> {
  readonly path?: string;
  readonly prefix?: string;
  readonly format?: ArchiveFormat;
}

/** Opens an archive, or tells what it lacks. */
export async function openArchive(
  { engine, repository, state }: MaintainedRepository,
  { revision = 'main', path = '', prefix = '' }: WantedArchive = {},
): Promise<ArchiveContent | 'ref' | 'file'> {
  const reader = await ContentReader.open(engine, repository, state.current, { hiddenRefs: ['refs/hidden'] });
  return ArchiveContent.open(reader, { revision, path: Buffer.from(path), prefix: Buffer.from(prefix) });
}

/** Returns the bytes of an archive. */
export async function archiveOf(repository: MaintainedRepository, wanted: WantedArchive = {}): Promise<Buffer> {
  const found = await openArchive(repository, wanted);
  if (typeof found === 'string') throw new Error(`no ${found}`);
  const body = found.body(wanted.format ?? 'tar', (error) => {
    throw error;
  });
  return Buffer.from(await new Response(body).arrayBuffer());
}
