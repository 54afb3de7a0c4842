import { describe, expect, it } from 'vitest';
import { objectAddresses, type ObjectPlaces } from './object-address.ts';

const places = { bucket: 'packs', region: 'eu-central-1' };
const address = (more: Partial<ObjectPlaces>): string => objectAddresses({ ...places, ...more })('a/b.pack').href;

describe('objectAddresses', () => {
  it.each<[Partial<ObjectPlaces>, string]>([
    [{}, 'https://packs.s3.eu-central-1.amazonaws.com/a/b.pack'],
    [{ bucket: 'packs.example' }, 'https://s3.eu-central-1.amazonaws.com/packs.example/a/b.pack'],
    [{ region: 'cn-north-1' }, 'https://packs.s3.cn-north-1.amazonaws.com.cn/a/b.pack'],
    [{ addressing: 'path' }, 'https://s3.eu-central-1.amazonaws.com/packs/a/b.pack'],
    [{ endpoint: 'http://127.0.0.1:9000', prefix: 'x/y' }, 'http://127.0.0.1:9000/packs/x/y/a/b.pack'],
    [{ endpoint: 'https://s3.example', addressing: 'auto' }, 'https://s3.example/packs/a/b.pack'],
    [{ endpoint: 'https://s3.example:8443/at/', addressing: 'virtual' }, 'https://packs.s3.example:8443/at/a/b.pack'],
    [
      { bucket: 'packs.example', addressing: 'virtual' },
      'https://packs.example.s3.eu-central-1.amazonaws.com/a/b.pack',
    ],
  ])('REPO-325, REPO-400: places the bucket by %j', (more, expected) => {
    expect(address(more)).toBe(expected);
  });

  it.each<Partial<ObjectPlaces>>([
    { bucket: 'a' },
    { bucket: 'A_b' },
    { bucket: 'a/b' },
    { region: '' },
    { region: 'a.b' },
    { prefix: '/a' },
    { prefix: 'a/' },
    { prefix: 'a/../b' },
    { prefix: 'a b' },
    { prefix: 'a'.repeat(513) },
    { endpoint: 'ftp://host' },
    { endpoint: 'host' },
    { endpoint: 'https://user:secret@host' },
    { endpoint: 'https://host/?a' },
  ])('refuses %j, and repeats none of it', (more) => {
    expect(() => address(more)).toThrow(/^Not an? (bucket|region|prefix|address) of (S3|an S3 store)$/);
  });

  it.each<[Partial<ObjectPlaces>, string]>([
    [{ endpoint: 'http://127.0.0.1:9000', addressing: 'virtual' }, 'makes no host'],
    [{ endpoint: 'http://[::1]:9000', addressing: 'virtual' }, 'makes no host'],
  ])('REPO-400: refuses %j, which names no host of the bucket', (more, reason) => {
    expect(() => address(more)).toThrow(reason);
  });
});
