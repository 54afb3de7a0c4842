/** Maximum characters of a message and of a stack in the log. */
const longestMessage = 2000;
const longestStack = 10_000;
/** Maximum errors of a chain of causes in the log. */
const mostCauses = 5;

/** Description of a thrown value for the log. */
export interface ThrownDescription {
  readonly message: string;
  readonly stack?: string;
}

/** Describes any thrown value. The message of a value that is not an error is its text (ERR-123). Never throws. */
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

/**
 * Joins the messages of an error and its causes with `: `, outermost first. Node's `fetch` by itself only says `fetch
 * failed`. Never throws.
 */
export const describeCauses = (thrown: unknown): string => {
  const messages: string[] = [];
  let one = thrown;
  for (let depth = 0; depth < mostCauses && one !== undefined && one !== null; depth++) {
    const { message } = describeThrown(one);
    if (message !== '') messages.push(message);
    one = causeOf(one);
  }
  return messages.join(': ').slice(0, longestMessage);
};

/** Returns the cause of an error, or the first of several, such as those of all addresses of a name. */
const causeOf = (thrown: unknown): unknown => {
  try {
    if (typeof thrown !== 'object' || thrown === null) return undefined;
    const errors: unknown = Reflect.get(thrown, 'errors');
    return Reflect.get(thrown, 'cause') ?? (Array.isArray(errors) ? errors[0] : undefined);
  } catch {
    return undefined;
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
