import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPage } from './page/page.ts';

const html = readFileSync(join(import.meta.dirname, 'page/index.html'), 'utf8');

/** Opens a new page in the document of Vitest's environment. */
export function openPage(apiUrl: string): void {
  document.documentElement.innerHTML = html;
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  void startPage(apiUrl);
}
