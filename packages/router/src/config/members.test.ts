import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configType } from './members.ts';

describe('the configuration', () => {
  it('has every limit that the specification names', () => {
    const folder = new URL('../../../../docs/specification/', import.meta.url);
    const text = ['repositories.md', 'git.md'].map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
    const named = [...text.matchAll(/^\| LIM-\d+ \| \w+ \|[^|]*?\(([^)]*)\)/gm)].flatMap(([, names]) =>
      [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !(name in configType.members))).toEqual([]);
  });
});
