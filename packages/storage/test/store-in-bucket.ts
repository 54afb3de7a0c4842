/** Stores, reads and removes a large pack in the bucket at an address, on any runtime. */
import { memoryPackHolders } from '../src/packs/holders.ts';
import { memoryPackReservations } from '../src/packs/reservations.ts';
import { s3Bucket } from '../src/s3/s3-bucket.ts';
import { s3Packs } from '../src/s3/s3-packs.ts';

const [endpoint = '', accessKeyId = '', secretAccessKey = ''] = process.argv.slice(2);
const bucket = s3Bucket({
  endpoint,
  bucket: 'packs',
  region: 'us-east-1',
  credentials: () => ({ accessKeyId, secretAccessKey }),
});
const [reservations, holders] = [memoryPackReservations(), memoryPackHolders()];
const packs = s3Packs({ bucket, reservations: () => reservations, holders: () => holders });
const store = packs.repo(accessKeyId, 'repo');
const bytes = Uint8Array.from({ length: 9_000_000 }, (_, i) => i * 31 + (i >> 8));
const id = await store.reserve();
const upload = await store.upload(id);
await Promise.all([
  upload.write(1, bytes.subarray(store.partSize)),
  upload.write(0, bytes.subarray(0, store.partSize)),
]);
await upload.complete(bytes.length);
await store.put(id, 'idx', [bytes.subarray(0, 900_000)]);
let [at, wrong] = [0, 0];
for await (const chunk of store.stream(id)) for (const byte of chunk) wrong += byte === bytes[at++] ? 0 : 1;
const [part] = await store.read(id, 'idx', [{ offset: 100, length: 800_000 }]);
const isSame = part?.every((byte, i) => byte === bytes[100 + i]);
await store.remove(id);
const left = await bucket.head(`${accessKeyId}/${id}.pack`);
bucket.close();
console.log(JSON.stringify({ read: at, wrong, isSame, left }));
