import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The names that distributions give Chromium, and Chrome's. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of the first Chromium in PATH, or nothing. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}
