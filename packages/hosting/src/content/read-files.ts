import type { ContentReader, ObjectId } from '@packhouse/git';
import { Fields, HostingError, repoErrors, toBase64, type RawFields } from '@packhouse/base';

/** A file that was read with others, members in order (REPO-269). */
export interface FileRead {
  /** The path in the request, unchanged. */
  readonly path: string;
  readonly mode: string | null;
  readonly hash: ObjectId | null;
  readonly size: number | null;
  readonly encoding: 'utf-8' | 'base64' | null;
  readonly content: string | null;
  readonly error: { readonly code: number; readonly message: string; readonly reason: string } | null;
}

/** Several files of one commit. */
export interface FilesRead {
  readonly commit: ObjectId;
  readonly files: readonly FileRead[];
}

/** LIM-029. */
const pathsMax = 1000;
const bytesMax = 2 * 1024 * 1024;

/**
 * Reads the body of a request for several files. The result reads them, and throws `refNotFound`.
 *
 * @throws {HostingError} for every bad field.
 */
export function parseFiles(body: RawFields): (reader: ContentReader) => Promise<FilesRead> {
  const fields = new Fields(body);
  const ref = fields.optionalString('ref') ?? 'HEAD';
  const paths = fields.strings('paths', { min: 1, max: pathsMax });
  fields.check();
  return async (reader) => {
    const commit = await reader.resolve(ref);
    const encoder = new TextEncoder();
    const found =
      commit &&
      (await reader.files(
        commit,
        paths.map((path) => encoder.encode(path)),
        bytesMax,
      ));
    if (commit === undefined || found === undefined) throw new HostingError('refNotFound');
    const files = found.map((file, i): FileRead => {
      const path = paths[i] as string;
      if (file === undefined) return { path, ...missing };
      const { mode, hash, size, body: bytes } = file;
      if (bytes === undefined) return { path, mode, hash, size, ...tooLarge };
      const text = decode(bytes);
      if (text === undefined)
        return { path, mode, hash, size, encoding: 'base64', content: toBase64(bytes), error: null };
      return { path, mode, hash, size, encoding: 'utf-8', content: text, error: null };
    });
    return { commit, files };
  };
}

const { code, message, reason } = repoErrors.fileNotFound;
const missing = { mode: null, hash: null, size: null, encoding: null, content: null, error: { code, message, reason } };
const tooLarge = {
  encoding: null,
  content: null,
  error: {
    code: repoErrors.memoryLimit.code,
    message: 'The file does not fit into this reply',
    reason: 'reply_full',
  },
};

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns undefined for bytes that are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
