import { expect, it } from 'vitest';
import { layerShares } from './profile.ts';

it('shares the busy time among layers; native functions belong to their callers', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url });
  const shares = layerShares({
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 6] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('(garbage collector)') },
      { id: 4, callFrame: frame('run', 'file:///x/packages/base/src/sql/node-sqlite.ts'), children: [5] },
      { id: 5, callFrame: frame('exec') },
      { id: 6, callFrame: frame('onread', 'node:internal/stream_base_commons'), children: [7] },
      { id: 7, callFrame: frame('push', 'file:///x/packages/git/src/receive-pack/push.ts') },
    ],
    samples: [2, 3, 4, 5, 6, 7],
    timeDeltas: [500, 10, 20, 30, 15, 25],
  });
  expect(Object.entries(shares)).toEqual([
    ['SQLite', 0.5],
    ['git', 0.25],
    ['Node: HTTP and streams', 0.15],
    ['collector', 0.1],
  ]);
});
