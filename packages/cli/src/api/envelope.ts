import type { ReplyError } from './failure.ts';

/** The body of a reply (REPO-033). */
export type Envelope =
  | {
      readonly success: true;
      readonly result: unknown;
      readonly result_info?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly success: false;
      readonly errors: readonly [ReplyError, ...ReplyError[]];
      /** The texts of the `messages` list. */
      readonly messages: readonly string[];
    };

/** Parses a reply. Returns undefined if it is not an envelope. */
export function parseEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const envelope = value as {
    readonly success?: unknown;
    readonly errors?: unknown;
    readonly messages?: unknown;
  } | null;
  if (typeof envelope?.success !== 'boolean' || !Array.isArray(envelope.errors)) return undefined;
  if (envelope.success) return envelope as Envelope;
  if (typeof (envelope.errors[0] as Partial<ReplyError> | undefined)?.message !== 'string') return undefined;
  return { ...(envelope as Envelope & { readonly success: false }), messages: textsOf(envelope.messages) };
}

function textsOf(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages
    .map((item) => (item as { readonly message?: unknown } | null)?.message)
    .filter((text) => typeof text === 'string');
}
