import type { CDPSession, Page } from 'playwright-core';
import type { Stage } from './open-browser.ts';
import type { Reply } from './reply.ts';

/** How a page is shown; by default on a light screen of 1280 by 800. */
export interface View {
  readonly media?: 'screen' | 'print';
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active' | 'none';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor?: number;
}

/** A page in its own browser context, which records everything that a page must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** A debugger session, which the policy of the page does not restrict. */
  readonly debug: CDPSession;
  load(reply: Reply): Promise<void>;
  /** Events since `load`: further requests, console messages, dialogs, windows, violations of the policy. */
  misdeeds(): readonly string[];
  close(): Promise<void>;
}

export const openPage = async ({ browser, server }: Stage, view: View = {}): Promise<WatchedPage> => {
  const { media = 'screen', colorScheme = 'light', forcedColors = 'none', ...size } = view;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...size });
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  let misdeeds: string[] = [];
  let url = '';
  let status = 0;
  const note = (what: string): void => void misdeeds.push(what);
  const noteMessage = (text: string, about: string | undefined): void => {
    // Chromium logs this for every document with an error status.
    const ofStatus =
      about === url && text.startsWith(`Failed to load resource: the server responded with a status of ${status} `);
    if (!ofStatus) note(`message: ${text}`);
  };
  let loading = false;
  context.on('request', (request) => {
    // The first request is the document; the empty icon causes no real request.
    if (!loading && request.url() !== 'data:,') note(`request: ${request.url()}`);
    loading = false;
  });
  context.on('page', (opened) => note(`window: ${opened.url()}`));
  page.on('console', (message) => noteMessage(message.text(), message.location().url));
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  debug.on('Log.entryAdded', ({ entry }) => noteMessage(entry.text, entry.url));
  await debug.send('Log.enable');
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`violation of ${violatedDirective}: ${blockedURI}`);
    });
  });
  return {
    page,
    debug,
    async load(reply) {
      url = server.show(reply);
      status = reply.status;
      misdeeds = [];
      loading = true;
      await page.goto(url, { waitUntil: 'load' });
      // A second debugger session would lose it with each document.
      await page.emulateMedia({ media, colorScheme, forcedColors });
    },
    // The browser reports repeated requests for the document. For status 421, which Chromium retries, the server does.
    misdeeds: () => [
      ...misdeeds,
      ...server.requests().flatMap((path) => (path === '/' ? [] : [`request at the server: ${path}`])),
    ],
    close: () => context.close(),
  };
};
