import { boundInWorkerd } from '../support/bound-workerd.ts';
import { testBinding } from '../support/bound.ts';

testBinding('RPC in workerd', boundInWorkerd);
