import { expect, it } from 'vitest';
import { findBarriers } from '../../packages/problem-details/test/page/support/accessibility.ts';
import { findFaint } from '../../packages/problem-details/test/page/support/contrast.ts';
import { findOverflow } from '../../packages/problem-details/test/page/support/layout.ts';
import { describeInBrowser } from '../../packages/problem-details/test/page/support/open-browser.ts';
import { replyOf } from '../../packages/problem-details/test/page/support/reply.ts';
import { openPage, type View } from '../../packages/problem-details/test/page/support/watched-page.ts';
import { testTags } from '../../packages/router/src/tags/test-tags.test.util.ts';

const paths = ['/', '/docs/repos/errors', '/docs/tags/errors', '/docs/errors', '/docs/errors/1015', '/git/a1/n/r.git'];

const views: Readonly<Record<string, View>> = {
  light: { colorScheme: 'light' },
  'dark, 320 pixels': { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
};

describeInBrowser('pages of the service', (stage) => {
  for (const [name, view] of Object.entries(views)) {
    it(`REPO-214, ERR-069: ${name}: accessible, with contrast, without sideways scrolling, quiet`, async () => {
      const { send } = testTags();
      const watched = await openPage(stage(), view);
      for (const path of paths) {
        const reply = await replyOf(await send(path, { headers: { accept: 'text/html' } }));
        expect(reply.status).toBe(200);
        await watched.load(reply);
        expect(await watched.page.evaluate('getComputedStyle(document.body).display')).toBe('flex');
        expect(await findBarriers(watched), path).toEqual([]);
        expect(await findFaint(watched), path).toEqual([]);
        expect(await findOverflow(watched), path).toEqual([]);
        expect(watched.misdeeds(), path).toEqual([]);
      }
      await watched.close();
    });
  }
});
