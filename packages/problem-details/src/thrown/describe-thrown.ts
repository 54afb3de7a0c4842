/** Characters of a message and of a stack that go to the log. */
const longestMessage = 2000;
const longestStack = 10_000;

/** What the log is told of something that was thrown. */
export interface ThrownDescription {
  readonly message: string;
  readonly stack?: string;
}

/** Describes any value that can be thrown; the message of one that is no error is its text (ERR-123). Never throws. */
export const describeThrown = (thrown: unknown): ThrownDescription => {
  try {
    const stack = textMember(thrown, 'stack');
    const message = textMember(thrown, 'message') ?? textOf(thrown);
    return {
      message: message.slice(0, longestMessage),
      ...(stack === undefined ? {} : { stack: stack.slice(0, longestStack) }),
    };
  } catch {
    return { message: 'something that cannot be read' };
  }
};

const textMember = (thrown: unknown, name: 'message' | 'stack'): string | undefined => {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
};

const textOf = (thrown: unknown): string => {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return JSON.stringify(thrown) ?? Object.prototype.toString.call(thrown);
};
