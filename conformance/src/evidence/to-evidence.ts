import type { Secrets } from '../core/secrets.ts';
import type { Target } from '../core/target.ts';
import { bodyMax, margin, type BodyPart } from './body-copy.ts';
import type { Evidence, HttpStep, RecordedBody, RecordedHeaders, Step } from './evidence.ts';
import type { OpenStep, Recorder } from './recorder.ts';

/** Bytes of all bodies of one case. */
const caseMax = 262_144;
/** Bytes of a body after that: enough to recognise it. */
const leastBody = 256;
/** Characters of a URL, a header, an argument or a message. */
const textMax = 4000;
/** Headers of a request or a reply, and arguments of a command. */
const listMax = 200;

/** The room for bodies in the report of one run. Failures that come after it is full keep only the starts of bodies. */
export interface EvidenceRoom {
  left: number;
}

/** Returns the room of a run: 48 MiB. */
export function evidenceRoom(): EvidenceRoom {
  return { left: 50_331_648 };
}

/** Headers whose values are credentials. Short ones are too common as words to be removed from other texts. */
const credentialHeader = /^(?:authorization|proxy-authorization|cookie|set-cookie|.*-secret)$/i;

/**
 * Returns the record of a case for the report, without secrets. Tokens of the run appear as the names of their
 * variables, so that a command for a shell can be made from them.
 */
export function toEvidence(
  recorder: Recorder,
  { secrets, target, room }: { readonly secrets: Secrets; readonly target: Target; readonly room: EvidenceRoom },
): Evidence {
  const { steps, leftOut } = recorder.end();
  const names = tokenNames(target);
  const named = (text: string): string => {
    let clean = text;
    for (const [token, name] of names) if (token.length >= 8) clean = clean.replaceAll(token, name);
    const scrubbed = secrets.scrub(clean);
    return scrubbed.length <= textMax ? scrubbed : `${scrubbed.slice(0, textMax)}...`;
  };
  const headersOf = (headers: RecordedHeaders): RecordedHeaders =>
    headers
      .slice(0, listMax)
      .map(([name, value]) => [named(name), credentialHeader.test(name) ? credential(value, names) : named(value)]);

  let left = Math.min(caseMax, room.left);
  const bodyOf = (body: BodyPart | null): RecordedBody | null => {
    if (body === null) return null;
    const shown = toBody(body, secrets, Math.max(leastBody, Math.min(bodyMax, left)));
    const size = (shown.text ?? shown.base64 ?? '').length;
    left -= size;
    room.left -= size;
    return shown;
  };
  const shownStep = (step: OpenStep): Step => {
    const { at, milliseconds } = step;
    const error = step.error === null ? null : named(step.error);
    if (step.kind === 'git') {
      const args = step.arguments.slice(0, listMax).map(named);
      const { credential: had, status } = step;
      const [stdout, stderr] = [bodyOf(step.stdout), bodyOf(step.stderr)];
      return { kind: 'git', at, milliseconds, arguments: args, credential: had, status, stdout, stderr, error };
    }
    const { raw, method, reply } = step;
    const sent = { raw, method: named(method), url: named(step.url), headers: headersOf(step.headers) };
    const shownReply: HttpStep['reply'] =
      reply === null ? null : { status: reply.status, headers: headersOf(reply.headers), body: bodyOf(reply.body) };
    return { kind: 'http', at, milliseconds, ...sent, body: bodyOf(step.body), reply: shownReply, error };
  };
  // From the last step on: the failure is nearest to it.
  return { steps: steps.toReversed().map(shownStep).toReversed(), left_out: leftOut };
}

function tokenNames({ apiToken, readToken, other, binding }: Target): (readonly [string, string])[] {
  return [
    [apiToken, '$CONFORMANCE_API_TOKEN'],
    [readToken, '$CONFORMANCE_READ_TOKEN'],
    [other?.apiToken, '$CONFORMANCE_OTHER_API_TOKEN'],
    [binding?.secret, '$CONFORMANCE_BINDING_SECRET'],
  ].flatMap(([token = '', name = '']): (readonly [string, string])[] => (token === '' ? [] : [[token, name]]));
}

function credential(value: string, names: readonly (readonly [string, string])[]): string {
  const [, scheme = '', rest = ''] = /^((?:basic|bearer)\s+)?(.*)$/is.exec(value) ?? [];
  return scheme + (names.find(([token]) => token === rest)?.[1] ?? (rest === '' ? '' : '[token]'));
}

function toBody({ bytes, ended, part, which }: BodyPart, secrets: Secrets, max: number): RecordedBody {
  const masked = Buffer.from(secrets.mask(Buffer.from(part).toString('latin1')), 'latin1');
  // If the copy is not whole, its margin may end in a part of a token.
  const length = Math.min(max, masked.byteLength < bytes ? masked.byteLength - margin : masked.byteLength);
  const shown = which === 'start' ? masked.subarray(0, length) : masked.subarray(masked.byteLength - length);
  const text = textOf(shown, shown.byteLength < bytes ? which : 'whole');
  return {
    bytes,
    ...(text === undefined ? { base64: shown.toString('base64') } : { text }),
    cut: shown.byteLength < bytes,
    ended,
  };
}

/** Returns UTF-8 as text. A character that a cut has split is dropped. Undefined for other bytes. */
function textOf(bytes: Buffer, which: BodyPart['which'] | 'whole'): string | undefined {
  try {
    let start = 0;
    // Continuation bytes at the start belong to a character that was cut.
    if (which === 'end') while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes.subarray(start), { stream: which === 'start' });
  } catch {
    return undefined;
  }
}
