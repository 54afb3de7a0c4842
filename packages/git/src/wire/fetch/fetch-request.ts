import { keptPerName, lineObjectId, readArguments, sidebandAllWord, unexpectedLine } from '../arguments.ts';
import { printableRef } from '../capabilities.ts';
import type { FeatureSet } from '../features.ts';
import { IdList } from '../id-list.ts';
import { BoundLines, haveLine, type PackRequest } from './pack-request.ts';
import type { PacketReader } from '../packet-reader.ts';
import { refusedInBand, RequestRefusedError } from '../request-error.ts';

/** Arguments of the command `fetch` (GIT-093). Its pack always travels as `side-band-64k` (GIT-101). */
export interface FetchRequest extends PackRequest {
  readonly command: 'fetch';
  readonly done: boolean;
  /** Names of refs to resolve in this request, each once (GIT-098). */
  readonly wantRefs: readonly string[];
  readonly sidebandAll: boolean;
  readonly waitForDone: boolean;
}

/**
 * Reads the arguments of `fetch` up to the flush.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for an argument that is unknown or whose feature is off (GIT-090).
 */
export async function parseFetchRequest(reader: PacketReader, features: FeatureSet): Promise<FetchRequest> {
  const wants = new IdList(reader.keep);
  const haves = new IdList(reader.keep);
  const wantRefs = new Set<string>();
  const words = new Set<string>();
  const bounds = new BoundLines(features, reader);
  const known = knownWords(features);
  const take = (line: string): void => {
    const have = haveLine(line);
    if (have !== undefined) haves.add(have);
    else if (line.startsWith('want ')) wants.add(lineObjectId(line, 5));
    else if (known.has(line)) words.add(line);
    else if (features.has('ref-in-want') && line.startsWith('want-ref ')) {
      const ref = line.slice('want-ref '.length);
      if (wantRefs.has(ref)) throw new RequestRefusedError(`duplicate want-ref ${printableRef(ref)}`);
      reader.keep(keptPerName(line));
      wantRefs.add(ref);
    } else if (!bounds.take(line)) throw unexpectedLine(line);
  };
  try {
    await readArguments(reader, take);
    bounds.relative = words.has('deepen-relative');
    return {
      command: 'fetch',
      wants,
      haves,
      wantRefs: [...wantRefs],
      done: words.has('done'),
      thinPack: words.has('thin-pack'),
      ofsDelta: words.has('ofs-delta'),
      includeTag: words.has('include-tag'),
      noProgress: words.has('no-progress'),
      sidebandAll: words.has(sidebandAllWord),
      waitForDone: words.has('wait-for-done'),
      shallow: bounds.shallow,
      depth: bounds.depth(),
      filter: bounds.filter,
    };
  } catch (error) {
    throw words.has(sidebandAllWord) ? refusedInBand(error) : error;
  }
}

/** Arguments without a value. */
function knownWords(features: FeatureSet): ReadonlySet<string> {
  const words = new Set(['done', 'thin-pack', 'no-progress', 'include-tag', 'ofs-delta']);
  if (features.has('shallow')) words.add('deepen-relative');
  if (features.has('sideband-all')) words.add(sidebandAllWord);
  if (features.has('wait-for-done')) words.add('wait-for-done');
  return words;
}
