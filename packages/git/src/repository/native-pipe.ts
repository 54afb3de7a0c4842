/** A pair of streams that hands bytes on without keeping them: a write is done when they are on their way. */
export interface NativePipe {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Whether nobody reads any more. To be asked while `writable` is not locked. */
  readonly isBroken: () => boolean;
}

/** Has the shape of that of Workers. */
type IdentityTransform = new () => {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

function identityTransform(): IdentityTransform | undefined {
  return (globalThis as { IdentityTransformStream?: IdentityTransform }).IdentityTransformStream;
}

/** Whether the runtime has such streams: Workers do. Elsewhere what is written is kept by reference until it is sent. */
export function hasNativePipes(): boolean {
  return identityTransform() !== undefined;
}

export function openNativePipe(): NativePipe | undefined {
  const Identity = identityTransform();
  if (Identity === undefined) return undefined;
  const { readable, writable } = new Identity();
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
