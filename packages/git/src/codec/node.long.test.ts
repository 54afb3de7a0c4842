import { codecContract } from './contract/contract.test.util.ts';
import { describeCodec } from './contract/describe-codec.test.util.ts';
import { bombCase } from './contract/refusal-cases.test.util.ts';
import { nodeCodec, RepeatingInflater } from './node.ts';

describeCodec('codec on node:zlib', nodeCodec());

// It inflates all that it was fed before it lets out a part.
describeCodec(
  'codec on node:zlib, without the native handle',
  { ...nodeCodec(), inflater: () => new RepeatingInflater() },
  codecContract.filter((one) => one !== bombCase),
);
