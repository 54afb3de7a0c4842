import { builtInEntries, createPlatformErrors, renderHtml, renderMinimal } from '@packhouse/problem-details';
import { expect, it } from 'vitest';
import { findOverflow } from './support/layout.ts';
import { describeInBrowser } from './support/open-browser.ts';
import { pageReply, replyOf, unguardedReply } from './support/reply.ts';
import { reportOf } from './support/reports.ts';
import { openPage } from './support/watched-page.ts';

const errors = createPlatformErrors();
const request = new Request('https://2shop.example/', { headers: { accept: 'text/html' } });

describeInBrowser('the page of every code', (stage) => {
  it('ERR-065, ERR-066, ERR-070: loads nothing, logs nothing and follows its policy', async () => {
    const watched = await openPage(stage());
    for (const { code, short_name, http_status } of builtInEntries) {
      const reply = await replyOf(await errors.respond(request, code));
      expect(reply.status).toBe(http_status);
      await watched.load(reply);
      expect(await watched.page.title()).toBe(`Error ${code}: ${short_name} | 2shop.example`);
      expect(await watched.page.evaluate(() => getComputedStyle(document.body).display)).toBe('flex');
      expect(watched.misdeeds()).toEqual([]);
    }
    await watched.load(await replyOf(await errors.minimal(request, 404, 'There is nothing at this address.')));
    expect(await watched.page.title()).toBe('404 Not Found | 2shop.example');
    expect(watched.misdeeds()).toEqual([]);
    await watched.close();
  });

  it('ERR-069: fits 320 pixels', async () => {
    const watched = await openPage(stage(), { viewport: { width: 320, height: 640 } });
    for (const { code } of builtInEntries) {
      await watched.load(pageReply(renderHtml(reportOf(code))));
      expect(await findOverflow(watched)).toEqual([]);
    }
    await watched.close();
  });

  it('ERR-066: requests nothing even without a policy, while a page without the icon would', async () => {
    const watched = await openPage(stage());
    const html = renderHtml(reportOf(522));
    await watched.load(unguardedReply(html));
    await watched.load(unguardedReply(html));
    expect(watched.misdeeds()).toEqual([]);
    await watched.load(unguardedReply(html.replace('<link rel="icon" href="data:,">', '')));
    await expect.poll(() => watched.misdeeds(), { timeout: 20_000 }).toContain('request at the server: /favicon.ico');
    await watched.close();
  });

  it('ERR-070: the policy blocks a script, another style and a picture, which these tests detect', async () => {
    const watched = await openPage(stage());
    const page = renderMinimal({ status: 404, title: 'Not Found', detail: 'x' }, 'text/html');
    for (const more of ['<script>alert(1)</script>', '<style>.text{color:red}</style>', '<img src="/a.png" alt="">']) {
      await watched.load(pageReply(page.replace('</main>', `${more}</main>`)));
      await expect.poll(() => watched.misdeeds().join('\n')).toMatch(/violation of (script|style|img)-src/);
      expect(watched.misdeeds().join('\n')).not.toMatch(/^(dialog|request at the server)/m);
      const colour = await watched.page.locator('.text').evaluate((element) => getComputedStyle(element).color);
      expect(colour).not.toBe('rgb(255, 0, 0)');
    }
    await watched.close();
  });
});
