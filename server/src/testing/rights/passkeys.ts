/** One's own passkeys. */
import { aCredential, proof, type MatrixRow } from './row.ts';

const anAttestation = {
  ...aCredential,
  response: { clientDataJSON: 'AA', attestationObject: 'AA' },
};

export const passkeyRights: readonly MatrixRow[] = [
  {
    resource: 'one’s own passkeys',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/accounts/passkeys/': { of: 'passkey', spends: true },
      'POST /secure-api/accounts/passkeys/options/': { body: {}, ok: 'passkeys_need_a_name' },
      'POST /secure-api/accounts/proof/passkey/': { ok: 'passkeys_need_a_name' },
      'POST /secure-api/accounts/passkeys/': {
        body: { name: 'Key', passkey: anAttestation },
        ok: 'passkeys_need_a_name',
      },
      'PATCH /secure-api/accounts/passkeys/:id/': {
        of: 'passkey',
        body: { name: 'Key' },
        spends: true,
      },
      // One's own is found; the code is wrong.
      'DELETE /secure-api/accounts/passkeys/:id/': {
        of: 'passkey',
        body: proof,
        ok: 400,
        spends: true,
      },
    },
  },
];
