import { parseObjectId, type ObjectId } from '../../object/object-id.ts';
import { keptPerName, lineObjectId } from '../arguments.ts';
import type { FeatureSet } from '../features.ts';
import { IdList } from '../id-list.ts';
import type { PacketReader } from '../packet-reader.ts';
import { RequestRefusedError } from '../request-error.ts';

/** A client's request and its declarations, in every version. */
export interface PackRequest {
  /** In the order sent, repetitions included. */
  readonly wants: IdList;
  /** In the order sent, repetitions included. */
  readonly haves: IdList;
  readonly thinPack: boolean;
  readonly ofsDelta: boolean;
  readonly includeTag: boolean;
  readonly noProgress: boolean;
  /** Commits whose parents the client does not have (GIT-076). */
  readonly shallow: IdList;
  /** Absent if no depth was asked for. */
  readonly depth: DepthRequest | undefined;
  /** The filter's text as sent; absent without one (section 5). */
  readonly filter: string | undefined;
}

/** Limits of the history that is sent (GIT-072 to GIT-074). Either `deepen`, or one or both of the others. */
export interface DepthRequest {
  /** Commits from each want, 1 or more; 2147483647 is the full history. */
  readonly deepen: number | undefined;
  /** Counts `deepen` from the client's boundary. */
  readonly relative: boolean;
  /** Seconds since 1970. */
  readonly since: number | undefined;
  /** Names as the user typed them, each once. */
  readonly not: readonly string[];
}

/**
 * Collects the lines that limit a request. Lines of features that are off are unknown to it; the caller handles them.
 */
export class BoundLines {
  readonly #features: FeatureSet;
  readonly #reader: Pick<PacketReader, 'keep'>;
  readonly shallow: IdList;
  filter: string | undefined;
  relative = false;
  #deepen: number | undefined;
  #since: number | undefined;
  readonly #not: Set<string> = new Set();

  constructor(features: FeatureSet, reader: Pick<PacketReader, 'keep'>) {
    this.#features = features;
    this.#reader = reader;
    this.shallow = new IdList(reader.keep);
  }

  /** Reads a line if it is one of these. */
  take(line: string): boolean {
    if (this.#features.has('filter') && line.startsWith('filter ')) {
      // The same text as stock upload-pack.
      if (this.filter !== undefined) throw new RequestRefusedError('multiple filter-specs cannot be combined');
      this.filter = line.slice('filter '.length);
      return true;
    }
    return this.#features.has('shallow') && this.#takeDepth(line);
  }

  #takeDepth(line: string): boolean {
    if (line.startsWith('shallow ')) this.shallow.add(lineObjectId(line, 'shallow '.length));
    else if (line.startsWith('deepen ')) this.#deepen = count(line, 'deepen '.length, 0x7fff_ffff);
    else if (line.startsWith('deepen-since '))
      this.#since = count(line, 'deepen-since '.length, Number.MAX_SAFE_INTEGER);
    else if (line.startsWith('deepen-not ')) {
      const name = line.slice('deepen-not '.length);
      if (!this.#not.has(name)) this.#reader.keep(keptPerName(line));
      this.#not.add(name);
    } else return false;
    return true;
  }

  /** @throws {RequestRefusedError} for limits that exclude each other (GIT-073). */
  depth(): DepthRequest | undefined {
    // GIT-072: 0 means that no depth was asked for.
    const deepen = this.#deepen === 0 ? undefined : this.#deepen;
    const bySelection = this.#since !== undefined || this.#not.size > 0;
    if (deepen === undefined && !bySelection) return undefined;
    if (deepen !== undefined && bySelection) {
      throw new RequestRefusedError('deepen and deepen-since (or deepen-not) cannot be used together');
    }
    return { deepen, relative: this.relative, since: this.#since, not: [...this.#not] };
  }
}

function count(line: string, start: number, most: number): number {
  const digits = line.slice(start);
  const value = /^\d{1,16}$/.test(digits) ? Number(digits) : NaN;
  if (!(value <= most)) throw new RequestRefusedError(`invalid ${line.slice(0, start - 1)}`);
  return value;
}

/** A `have`, the line that a body may hold by the hundred thousand; `undefined` if the line is something else. */
export function haveLine(line: string): ObjectId | undefined {
  return line.startsWith('have ') ? (parseObjectId(line.slice(5)) ?? lineObjectId(line, 5)) : undefined;
}
