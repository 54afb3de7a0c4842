import { env } from 'cloudflare:workers';
import { testBucketFaults } from '@packhouse/storage/contract';
import { newRepo } from './repo.ts';

testBucketFaults('workerd, R2', async () => {
  const { account, id, reservations, holders } = await newRepo();
  return { bucket: env.PACKS, account, repoId: id, reservations, holders };
});
