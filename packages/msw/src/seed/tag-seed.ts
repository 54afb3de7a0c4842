import { TaggingError, type Tagging } from '@packhouse/tagging';
import { SeedError, seeding } from './seed-error.ts';

/** A tagged resource, of the account or of one of its zones. */
export interface ResourceTagsSeed {
  /** A type such as `worker`, `r2_bucket`, `dns_record` (TAG-126, TAG-128). */
  readonly type: string;
  readonly id: string;
  /** The zone, for types of the zone level. */
  readonly zone?: string;
  /** The parent, for types that have one. */
  readonly parent?: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The content of a mock of tagging only, as data. */
export interface TaggingSeed {
  readonly tags?: readonly ResourceTagsSeed[];
}

/**
 * Sets tags by the rules of the service.
 *
 * @throws {SeedError} for tags that the service refuses, and for an unknown zone.
 */
export async function plantTags(
  tagging: Tagging,
  account: string,
  place: string,
  seed: ResourceTagsSeed,
  hasZone: (zone: string) => boolean,
): Promise<void> {
  const type = tagging.types.find((known) => known.type === seed.type);
  if (type === undefined) {
    const names = tagging.types.map((known) => known.type).join(', ');
    throw new SeedError(`${place}.type`, `there is no type ${JSON.stringify(seed.type)} (TAG-125); there are ${names}`);
  }
  if (type.level === 'zone' && seed.zone === undefined) throw new SeedError(place, `${seed.type} needs a zone`);
  if (seed.zone !== undefined && !hasZone(seed.zone)) {
    throw new SeedError(`${place}.zone`, `the mock has no zone ${JSON.stringify(seed.zone)}; name it in its zones`);
  }
  const body = {
    resource_type: seed.type,
    resource_id: seed.id,
    ...(type.parent !== undefined && { [type.parent]: seed.parent }),
    tags: seed.tags,
  };
  await seeding(place, async () => {
    try {
      await tagging.set({ account, zone: seed.zone ?? null }, body, null);
    } catch (error) {
      if (error instanceof TaggingError) throw new SeedError(place, error.message, { cause: error });
      throw error;
    }
  });
}
