import { setTimeout } from 'node:timers/promises';
import type { Behind } from './scenarios.ts';

/** Controls a running service behind the page, through its API. */
export function behindApi(apiUrl: string, token: string): Behind {
  const tagsUrl = new URL('tags', apiUrl).href;
  const ids = new Map<string, string>();

  async function ask<Result>(method: string, url: string, content?: unknown): Promise<Result> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = content === undefined ? null : JSON.stringify(content);
    const response = await fetch(url, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly result: Result }).result;
  }

  return {
    async seed({ repos = {}, tags = [] }) {
      for (const [key, { description }] of Object.entries(repos)) {
        const [name, namespace = 'default'] = key.split('/').reverse();
        const url = `${apiUrl}/namespaces/${namespace}/repos`;
        const made = await ask<{ id: string; created_at: string }>('POST', url, { name, description });
        ids.set(key, made.id);
        // Lists are ordered by time, so wait for the next millisecond.
        while (Date.now() <= Date.parse(made.created_at)) await setTimeout(1);
      }
      for (const { repo, tags: wanted } of tags) {
        await ask('PUT', tagsUrl, { resource_type: 'repository', resource_id: ids.get(repo), tags: wanted });
      }
    },
    async tags() {
      type Item = { readonly name: string; readonly tags: Readonly<Record<string, string>> };
      const items = await ask<readonly Item[]>('GET', `${tagsUrl}/resources?type=repository`);
      return Object.fromEntries(items.map(({ name, tags }) => [name, tags]));
    },
    faults: async () => 0,
  };
}
