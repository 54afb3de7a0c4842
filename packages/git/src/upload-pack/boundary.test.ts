import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { cost, sliceUnits } from '../work/costs.ts';
import { meteredEngine } from '../work/metered-engine.test.util.ts';
import { uploadPack } from './upload-pack.ts';

it('GIT-072: each line of a boundary is counted, also where a short request asks for many', async () => {
  const wide = 3_000;
  const made = new MaintainedRepository(1_000_000);
  const folder = tree([]);
  const roots = Array.from({ length: wide }, (_, i) => commit(folder, [], i));
  const merges: MadeObject[] = [];
  for (let from = 0; from < wide; from += 1_000) merges.push(commit(folder, roots.slice(from, from + 1_000), wide));
  const tip = commit(folder, merges, wide + 1);
  await made.push([{ ref: 'refs/heads/main', new: tip }], [folder, ...roots, ...merges, tip]);

  const { engine } = meteredEngine({ codec: nodeCodec() });
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const lines = [`want ${tip.id}`, 'deepen 3', 'done'].map(packet).join('');
  const body = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${packet('command=fetch')}0001${lines}0000`);
  })();
  const reply = await uploadPack(engine, made.repository, made.state.current, body, {
    version: 2,
    hiddenRefs: [],
    bodyMax: 1e6,
    keepAlive: 60_000,
    failed: (error) => {
      throw error;
    },
  });
  const text = await new Response(reply.body as BodyInit).text();
  expect(text.match(/0034shallow [0-9a-f]{40}/g)).toHaveLength(wide);
  expect(engine.scheduler.totals[cost.entries]).toBeGreaterThan(100 * wide);
  expect(engine.scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
