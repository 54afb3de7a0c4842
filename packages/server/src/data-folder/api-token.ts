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
  /** True if this call made the token. */
  readonly created: boolean;
}

/** The name of the token file in a data folder. */
export const apiTokenFile = 'api-token';

/** Form of a bearer token (RFC 6750 §2.1 `b64token`), 16 to 512 characters. */
export const apiTokenForm: RegExp = /^[A-Za-z0-9._~+/-]{16,512}=*$/;

/**
 * Returns the API token of the data folder. The first call makes it: 256 random bits, in a file that only its owner may
 * read. Removes the read permission of others from an existing file. The caller must hold the folder, so that two
 * processes do not make a token at once.
 *
 * @throws {StartError} kind `data folder` if the file holds no token, or cannot be read or written.
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

/** Writes the file atomically: after a crash it holds all of the text or does not exist. */
function writeWhole(folder: string, file: string, text: string): void {
  const unfinished = `${file}.new`;
  // An interrupted start may have left this file, perhaps with another mode.
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(unfinished, file);
  // Windows cannot open a folder.
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
