import { discover, type Remote } from './wire-client.ts';

/**
 * Returns the capabilities that a service advertises, one per word, without the values that vary between replies: of
 * `agent`, `session-id` and, in version 2, `fetch`, only the names.
 */
export async function advertised(
  repo: Remote,
  service: 'git-upload-pack' | 'git-receive-pack',
  version: 0 | 1 | 2,
): Promise<string[]> {
  const { lines } = await discover(repo, { service, version });
  const first = (lines[version === 1 ? 3 : 2] ?? '').split('\0')[1] ?? '';
  const words = version === 2 ? lines.slice(3, -1) : wordsOf(first);
  return words.map((word) => word.replace(/^(agent|session-id|fetch)=.*/, '$1'));
}

/** Returns the features that `fetch=` lists in version 2. */
export async function fetchFeatures(repo: Remote): Promise<string[]> {
  const { lines } = await discover(repo, { version: 2 });
  const line = lines.find((found) => found.startsWith('fetch=')) ?? '';
  return wordsOf(line.slice('fetch='.length));
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
