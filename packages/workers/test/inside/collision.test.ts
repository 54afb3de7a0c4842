import { testCollision } from '@packhouse/git/contract';
import { newRepo } from './repo.ts';

testCollision('workerd, SQL of a Durable Object and R2', async () => {
  const repo = await newRepo();
  return { repository: { state: repo.state, packs: repo.packs() }, close: () => undefined };
});
