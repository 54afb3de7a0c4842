import { RemoteError } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { followed } from './follow.ts';

const redirect = (to: string | undefined): RemoteError =>
  new RemoteError('redirected', 'x', { status: 301, location: to === undefined ? undefined : new URL(to) });

/** Returns the attempted URLs and the outcome if each URL gives its listed answer, others 404. */
async function tried(start: string, answers: Readonly<Record<string, unknown>>): Promise<[string[], unknown]> {
  const urls: string[] = [];
  const outcome = await followed(new URL(start), async ({ href }) => {
    urls.push(href);
    const answer = answers[href] ?? new RemoteError('not found', 'x', { status: 404 });
    if (answer instanceof Error) throw answer;
    return answer;
  }).catch((error: unknown) => (error instanceof RemoteError ? error.code : error));
  return [urls, outcome];
}

describe('followed', () => {
  it('REPO-126: tries the URL that ends in .git, then the given URL', async () => {
    expect(await tried('https://a/x', { 'https://a/x.git': 'yes' })).toEqual([['https://a/x.git'], 'yes']);
    expect(await tried('https://a/x', { 'https://a/x': 'yes' })).toEqual([['https://a/x.git', 'https://a/x'], 'yes']);
    expect(await tried('https://a/x.git', {})).toEqual([['https://a/x.git'], 'not found']);
    const page = { 'https://a/x': new RemoteError('not a remote', 'x') };
    expect((await tried('https://a/x', page))[1]).toBe('not a remote');
    const failing = { 'https://a/x.git': new RemoteError('failing', 'x', { status: 503 }) };
    expect(await tried('https://a/x', failing)).toEqual([['https://a/x.git'], 'failing']);
    for (const unknown of [new RemoteError('authentication', 'x', { status: 401 }), redirect('http://a/login')]) {
      const answers = { 'https://a/x.git': unknown, 'https://a/x': 'yes' };
      expect(await tried('https://a/x', answers)).toEqual([['https://a/x.git', 'https://a/x'], 'yes']);
    }
  });

  it('REPO-129: follows at most 5 redirects', async () => {
    const chain = (length: number): Record<string, unknown> => ({
      ...Object.fromEntries(
        Array.from({ length }, (_, i) => [`https://a/${i}.git`, redirect(`https://a/${i + 1}.git`)]),
      ),
      [`https://a/${length}.git`]: 'yes',
    });
    const [urls, outcome] = await tried('https://a/0.git', chain(5));
    expect([urls.length, outcome]).toEqual([6, 'yes']);
    const [more, refused] = await tried('https://a/0.git', chain(6));
    expect([more.length, refused]).toEqual([6, 'redirected']);
  });

  it.each([undefined, 'http://a/y.git', 'https://user@a/y.git', 'https://:secret@a/y.git', 'ftp://a/y.git'])(
    'REPO-129: does not follow a redirect to %s',
    async (to) => {
      expect(await tried('https://a/x.git', { 'https://a/x.git': redirect(to) })).toEqual([
        ['https://a/x.git'],
        'redirected',
      ]);
    },
  );
});
