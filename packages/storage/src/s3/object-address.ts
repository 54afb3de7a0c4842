/** Places of the objects of a bucket. */
export interface ObjectPlaces {
  readonly bucket: string;
  /** Such as `eu-central-1`; stores without regions take any, mostly `us-east-1`. */
  readonly region: string;
  /** Address of another store, such as `https://s3.example.com`. Default: that of AWS in the region. */
  readonly endpoint?: string;
  /**
   * Place of the bucket in addresses: `path` (`https://host/bucket/key`) or `virtual` (`https://bucket.host/key`).
   * Default `auto`: `path` with an endpoint, and for a bucket with dots, which certificates do not cover; else `virtual`.
   */
  readonly addressing?: 'auto' | 'path' | 'virtual';
  /** Begins every key, without slashes at its ends. Default: none. */
  readonly prefix?: string;
}

/** Parts of a prefix: nothing that a URL would encode or resolve. */
const prefixForm = /^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$/;

/**
 * Returns the addresses of objects by their keys of letters, digits and `-_./`.
 *
 * @throws {RangeError} for an invalid bucket, region, endpoint, addressing style or prefix.
 */
export function objectAddresses(places: ObjectPlaces): (key: string) => URL {
  const { bucket, region, endpoint, addressing = 'auto', prefix = '' } = places;
  check('bucket', bucket, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/);
  check('region', region, /^[A-Za-z0-9-]{1,64}$/);
  check('prefix', prefix.length > 512 ? '/' : prefix, prefixForm);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const store = parseEndpoint(endpoint ?? `https://s3.${region}.${domain}`);
  const auto = endpoint === undefined && !bucket.includes('.') ? 'virtual' : 'path';
  const isVirtual = (addressing === 'auto' ? auto : addressing) === 'virtual';
  if (isVirtual) {
    const host = `${bucket}.${store.hostname}`;
    store.hostname = host;
    // The setter ignores a host that is invalid, and the bucket would be missing.
    if (store.hostname !== host)
      throw new RangeError('The address of the S3 store, which must have a name, makes no host with the bucket');
  }
  const folders = [store.pathname.slice(1).replace(/\/$/, ''), isVirtual ? '' : bucket, prefix].filter(Boolean);
  return (key) => {
    const url = new URL(store);
    url.pathname = [...folders, key].join('/');
    return url;
  };
}

function check(name: string, value: string, form: RegExp): void {
  if (!form.test(value)) throw new RangeError(`Not a ${name} of S3`);
}

function parseEndpoint(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  // Without the text, which may have a password.
  if (!isPlain || url.search !== '' || url.hash !== '') throw new RangeError('Not an address of an S3 store');
  return url;
}
