import type { Codec } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { portableCodec } from '@packhouse/git/codec-portable';
import { seededRandom } from '../generate/random.ts';
import { line } from '../generate/text.ts';
import { callsPerSecond } from '../measures/calls-per-second.ts';
import { interleave } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';

/** The codecs. The first is the baseline. */
export const codecContenders = ['portable codec', 'node codec'] as const;

/** Bytes of a typical object of a small repository, and of a large file. */
const usualSizes: readonly number[] = [300, 262_144];
/** The compression level of packs. */
const level = 6;

/**
 * Measures megabytes of objects per second of processor time, for both codecs of Git with the same text of `sizes`
 * bytes.
 */
export const measureCodecs = async (rounds: number, sizes: readonly number[] = usualSizes): Promise<readonly Row[]> => {
  const codecs = [portableCodec(), nodeCodec()].map((codec, i) => ({ name: codecContenders[i] as string, codec }));
  const rows: Row[] = [];
  for (const size of sizes) {
    const text = sampleText(size);
    const compressed = nodeCodec().deflate(text, level);
    for (const [work, prepare] of Object.entries(works)) {
      const actions = codecs.map(({ name, codec }) => ({ name, action: prepare(codec, text, compressed) }));
      const samples = await interleave(
        actions,
        rounds,
        async ({ action }) => (callsPerSecond(action) * text.length) / 1_000_000,
      );
      const title = `${work} of ${size < 1024 ? `${size} bytes` : `${size / 1024} KiB`}`;
      rows.push({ name: `${work.toLowerCase()}-${size}`, title, unit: 'MB/s', samples, gitStarts: 0 });
    }
  }
  return rows;
};

type Prepare = (codec: Codec, text: Uint8Array, compressed: Uint8Array) => () => unknown;

const works: Readonly<Record<string, Prepare>> = {
  inflate(codec, text, compressed) {
    const inflater = codec.inflater();
    const target = new Uint8Array(text.length);
    const inflate = (): Uint8Array => {
      inflater.reset();
      for (let [from, to] = [0, 0]; to < target.length;) {
        const { consumed, produced } = inflater.step(compressed, from, compressed.length, target, to, target.length);
        if (consumed === 0 && produced === 0) throw new Error('The inflater does not go on');
        from += consumed;
        to += produced;
      }
      return target;
    };
    if (Buffer.compare(inflate(), text) !== 0) throw new Error('The inflater gives another text');
    return inflate;
  },
  deflate: (codec, text) => () => codec.deflate(text, level),
  'SHA-1': (codec, text) => () => codec.sha1Of(text),
};

const sampleText = (size: number): Uint8Array => {
  const random = seededRandom(8);
  let text = '';
  while (text.length < size) text += `${line(random)}\n`;
  return new TextEncoder().encode(text.slice(0, size));
};
