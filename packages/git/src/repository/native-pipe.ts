/** A pair of streams that hands bytes on without keeping them: a write is done when they are on their way. */
export interface NativePipe {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Whether nobody reads any more. To be asked while `writable` is not locked. */
  readonly isBroken: () => boolean;
}

/** Pairs of streams have the shape of those of Workers. */
type Pair = Pick<NativePipe, 'readable' | 'writable'>;
type IdentityTransform = new () => Pair;
type FixedLength = new (length: number) => Pair;

function identityTransform(): IdentityTransform | undefined {
  return (globalThis as { IdentityTransformStream?: IdentityTransform }).IdentityTransformStream;
}

/** Stands beside the other one. */
function fixedLengthStream(): FixedLength {
  return (globalThis as unknown as { FixedLengthStream: FixedLength }).FixedLengthStream;
}

/** Whether the runtime has such streams: Workers do. Elsewhere what is written is kept by reference until it is sent. */
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
