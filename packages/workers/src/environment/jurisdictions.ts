import type { Bucket } from '@packhouse/storage/workers';
import type { Environment, ObjectNamespace } from './environment.ts';

/** A jurisdiction that data may be bound to (REPO-101), with the bucket and objects that keep it there. */
interface Jurisdiction {
  readonly name: string;
  readonly bucket: (environment: Environment) => Bucket | undefined;
  /** Jurisdiction of the Durable Objects. Undefined: they may be anywhere. */
  readonly objects: string | undefined;
}

const known: readonly Jurisdiction[] = [
  { name: 'unrestricted', bucket: ({ PACKS }) => PACKS, objects: undefined },
  { name: 'eu', bucket: ({ PACKS_EU }) => PACKS_EU, objects: 'eu' },
  { name: 'us', bucket: ({ PACKS_US }) => PACKS_US, objects: 'us' },
];

/** Returns the names of the jurisdictions whose buckets are bound. */
export function boundJurisdictions(environment: Environment): readonly string[] {
  return known.filter((one) => one.bucket(environment) !== undefined).map(({ name }) => name);
}

/** @throws {Error} if no bucket of that jurisdiction is bound. */
export function bucketOf(environment: Environment, jurisdiction: string): Bucket {
  const bucket = known.find(({ name }) => name === jurisdiction)?.bucket(environment);
  if (bucket === undefined) throw new Error(`No bucket is bound for the jurisdiction ${jurisdiction}`);
  return bucket;
}

/** Returns the objects of a class within a jurisdiction. */
export function objectsIn<Place>(objects: ObjectNamespace<Place>, jurisdiction: string): ObjectNamespace<Place> {
  const place = known.find(({ name }) => name === jurisdiction)?.objects;
  if (place === undefined) return objects;
  try {
    return objects.jurisdiction(place);
  } catch (error) {
    // Only the local runtime has no jurisdictions and throws this error.
    if (!(error instanceof Error && error.message.includes('not implemented in workerd'))) throw error;
    return {
      getByName: (name) => objects.getByName(`${place}:${name}`),
      jurisdiction: (other) => objects.jurisdiction(other),
    };
  }
}
