import { describeCodec } from './contract/describe-codec.test.util.ts';
import { portableCodec } from './portable.ts';

describeCodec('portable codec', portableCodec());
