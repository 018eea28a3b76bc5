import type { FastifyRequest } from 'fastify';
import type { FreshProof } from '@nazar/contract/proof.ts';
import type { Scope } from './scope.ts';

/** Checks that the caller is the user who signed in; throws proof_required. Accounts do this for other modules. */
export type Prove = (scope: Scope, proof: FreshProof, raw: FastifyRequest) => Promise<unknown>;
