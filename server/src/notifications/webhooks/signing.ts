/** Secrets and signatures as Standard Webhooks 1.0 has them. Pure. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`;

export interface Signed {
  readonly id: string;
  /** When it is sent: a receiver refuses what is older than it allows. */
  readonly atMs: number;
  readonly body: string;
}

/** The three headers. Each secret makes a signature of its own: a receiver needs one of them. */
export function signatureHeaders({ id, atMs, body }: Signed, secrets: readonly string[]) {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  } as const;
}
