import { env } from 'cloudflare:workers';
import { testR2Faults } from '@packhouse/storage/contract';
import { newRepo } from './repo.ts';

testR2Faults('workerd, R2', async () => {
  const { id, reservations } = await newRepo();
  return { bucket: env.PACKS, repoId: id, reservations };
});
