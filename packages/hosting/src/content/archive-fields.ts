import { archiveFormats, type ArchiveFormat, type ArchiveRequest } from '@packhouse/git';
import { Fields, type RawFields } from '@packhouse/base';

/** A request for an archive whose fields were checked (REPO-288). */
export interface CheckedArchive extends ArchiveRequest {
  readonly format: ArchiveFormat;
}

const prefixMax = 1024;
const encoder = new TextEncoder();

/**
 * Checks the fields of a request for an archive: `format`, `path`, `prefix`.
 *
 * @throws {HostingError} `invalidInput`.
 */
export function checkArchiveFields(revision: string, raw: RawFields): CheckedArchive {
  const fields = new Fields(raw);
  const format = fields.optionalString('format') ?? 'tar.gz';
  const path = encoder.encode(fields.optionalString('path') ?? '');
  const text = fields.optionalString('prefix') ?? '';
  const prefix = encoder.encode(text);
  const known = archiveFormats.find((one) => one === format);
  if (known === undefined) fields.fail('format', 'Invalid option: expected one of "tar.gz"|"tar"|"zip"');
  if (prefix.length > prefixMax || !isPrefix(text)) {
    fields.fail('prefix', `Invalid prefix: expected the start of a relative path, of at most ${prefixMax} bytes`);
  }
  fields.check();
  return { revision, format: known ?? 'tar.gz', path, prefix };
}

/** Tests if paths behind a prefix stay inside the folder in which an archive is unpacked. */
function isPrefix(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are refused
  if (/[\0-\x1f\x7f\\]/.test(text) || !text.isWellFormed()) return false;
  const segments = text.split('/');
  const isRelative = segments.slice(0, -1).every((segment) => segment !== '');
  return isRelative && segments.every((segment) => segment !== '.' && segment !== '..');
}

/** Splits the name of an archive into its revision and its format, which is undefined without a known end. */
export function splitArchiveName(name: string): {
  readonly revision: string;
  readonly format: ArchiveFormat | undefined;
} {
  const format = archiveFormats.find((one) => name.endsWith(`.${one}`));
  return { revision: format === undefined ? name : name.slice(0, -format.length - 1), format };
}
