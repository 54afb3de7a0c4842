/** A pair of streams that hands bytes on without keeping them: a write is done when they are on their way. */
export interface NativePipe {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Tests if the reader has left. Call it only while `writable` is not locked. */
  readonly isBroken: () => boolean;
}

/** Pairs of streams have the same form as on Workers. */
type Pair = Pick<NativePipe, 'readable' | 'writable'>;
type IdentityTransform = new () => Pair;
type FixedLength = new (length: number) => Pair;

function identityTransform(): IdentityTransform | undefined {
  return (globalThis as { IdentityTransformStream?: IdentityTransform }).IdentityTransformStream;
}

/** Fixed-length pair of streams, next to the other one. */
function fixedLengthStream(): FixedLength {
  return (globalThis as unknown as { FixedLengthStream: FixedLength }).FixedLengthStream;
}

/**
 * Tests if the runtime has such streams, as Workers do. Elsewhere, written chunks are kept by reference until they are
 * sent.
 */
export function hasNativePipes(): boolean {
  return identityTransform() !== undefined;
}

/** `length`: bytes that will pass, if that is known, so that a reply can tell it; fewer or more of them break it. */
export function openNativePipe(length?: number): NativePipe | undefined {
  const Identity = identityTransform();
  if (Identity === undefined) return undefined;
  const { readable, writable } = length === undefined ? new Identity() : new (fixedLengthStream())(length);
  return {
    readable,
    writable,
    isBroken() {
      const writer = writable.getWriter();
      try {
        return writer.desiredSize === null;
      } finally {
        writer.releaseLock();
      }
    },
  };
}
