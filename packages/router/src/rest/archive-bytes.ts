import { checkArchiveFields, splitArchiveName, type Content } from '@packhouse/hosting';
import { HostingError } from '@packhouse/base';
import type { Bytes } from './byte-response.ts';
import type { Call } from './operations.ts';
import { percentDecoded, utf8Text } from './percent.ts';
import { repoOf } from './repo-of.ts';

const types = { 'tar.gz': 'application/gzip', tar: 'application/x-tar', zip: 'application/zip' } as const;

/** Finds the archive that the path of a request names (REPO-288, REPO-291). */
export async function archiveBytes(content: Content, call: Call): Promise<Bytes> {
  const name = utf8Text(percentDecoded(call.encodedFrom('archive').join('/')));
  if (name === undefined) throw new HostingError('refNotFound');
  const split = splitArchiveName(name);
  const { path, prefix } = call.query;
  const request = checkArchiveFields(split.revision, { format: split.format ?? '', path, prefix });
  const { archive, repoName } = await content.archive(repoOf(call), request, call.work);
  const { format } = request;
  const fileName = `${repoName}-${request.revision}`.replaceAll(/[^\w.-]/g, '-').slice(0, fileNameMax);
  return {
    // Formats may show what else points to the commit, and compressors differ.
    etag: `W/"${archive.commit}"`,
    headers: async () => ({
      'content-type': types[format],
      'content-disposition': `attachment; filename="${fileName}.${format}"`,
    }),
    body: async (failed) => archive.body(format, failed),
    release: async () => archive.release(),
  };
}

/** Characters of a file name besides its format; the names of repositories and refs may be longer together. */
const fileNameMax = 200;
