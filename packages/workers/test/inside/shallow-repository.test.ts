import { testShallowRepository } from '@packhouse/git/contract';
import { newRepo } from './repo.ts';

testShallowRepository('workerd, SQL of a Durable Object and R2', async () => {
  const repo = await newRepo();
  return { repository: { state: repo.state, packs: repo.packs() }, close: () => undefined };
});
