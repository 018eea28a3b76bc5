import type { FastifyRequest } from 'fastify';
import type { FreshProof } from '@nazar/contract/proof.ts';
import type { Scope } from './scope.ts';

/** Whoever sends it proves to be the one who signed in; throws proof_required. Done by accounts, asked by others. */
export type Prove = (scope: Scope, proof: FreshProof, raw: FastifyRequest) => Promise<unknown>;
