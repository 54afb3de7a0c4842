import { env } from 'cloudflare:workers';
import { testR2Faults } from '@packhouse/storage/contract';
import { newRepo } from './repo.ts';

testR2Faults('workerd, R2', async () => {
  const { account, id, reservations, holders } = await newRepo();
  return { bucket: env.PACKS, account, repoId: id, reservations, holders };
});
