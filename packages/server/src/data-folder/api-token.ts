import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError, systemErrorCode } from '../start-error.ts';

/** The API token of a data folder. */
export interface KeptApiToken {
  readonly token: string;
  readonly file: string;
  /** Whether it was made just now. */
  readonly created: boolean;
}

/** The name of the token file in a data folder. */
export const apiTokenFile = 'api-token';

/** What a bearer token may be made of (RFC 6750 §2.1 `b64token`), 16 to 512 characters. */
export const apiTokenForm: RegExp = /^[A-Za-z0-9._~+/-]{16,512}=*$/;

/**
 * The API token kept in the data folder, made on the first call: 256 random bits, in a file that only its owner may
 * read. A file that others may read is closed to them. The caller holds the folder, so nobody else makes one meanwhile.
 *
 * @throws {StartError} kind `data folder` if the file holds no token or is out of reach.
 */
export function keptApiToken(folder: string): KeptApiToken {
  const file = join(folder, apiTokenFile);
  let token: string;
  try {
    if (!existsSync(file)) {
      token = `ph_${randomBytes(32).toString('hex')}`;
      writeWhole(folder, file, `${token}\n`);
      return { token, file, created: true };
    }
    token = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
  } catch (error) {
    throw unreachable(file, error);
  }
  if (!apiTokenForm.test(token)) {
    throw new StartError(
      'data folder',
      `The file ${file} ${token === '' ? 'is empty' : 'holds no API token'}.`,
      'Remove it to have a new one made, or write one of at least 16 letters and digits to it.',
    );
  }
  return { token, file, created: false };
}

/** The file appears with all its text or not at all, also if the machine stops half-way. */
function writeWhole(folder: string, file: string, text: string): void {
  const unfinished = `${file}.new`;
  // Of a start that was cut; its mode could be another's choice.
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(unfinished, file);
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unreachable(file: string, cause: unknown): StartError {
  return new StartError(
    'data folder',
    `The file ${file} cannot be read or written (${systemErrorCode(cause) ?? 'unknown reason'}).`,
    'Check its owner and mode, or choose another folder with --data DIR.',
    { cause },
  );
}
