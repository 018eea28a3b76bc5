/** Codes of an authenticator app: RFC 6238 with SHA-1, six digits and 30 s, which every app supports. */
import { Secret, TOTP } from 'otpauth';

const stepMs = 30_000;
/** Phones are seldom more than half a minute off. */
const windowSteps = 1;
const secretBytes = 20;

export const newSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The address that an app reads from the QR code. */
export function otpauthUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The 30 s step since 1970 that a code belongs to; null if it is not the present, the previous or the next step. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: windowSteps });
  return delta === null ? null : Math.floor(nowMs / stepMs) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Nazar',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: stepMs / 1000,
    secret: Secret.fromBase32(secret),
  });
}
