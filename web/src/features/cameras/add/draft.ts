/**
 * A camera that is being added, kept over a reload of this tab. Never a secret: no login, and no address that may hold
 * one. Pure: where it is kept is `lib/storage.ts`.
 */
import type { CameraFields } from '@nazar/contract/cameras.ts';
import { newCamera } from './new-camera.ts';
import { newRecordings, type NewRecording } from './new-recording.tsx';

export const steps = ['address', 'test', 'name', 'use'] as const;
export type Step = (typeof steps)[number];

export interface Draft {
  readonly step: Step;
  readonly fields: CameraFields;
  readonly recording: NewRecording;
  /** Something was typed that is not kept: it is asked for again. */
  readonly lacksSecrets: boolean;
}

const addresses = ['url', 'sub_url', 'device_url'] as const;
const secrets = ['username', 'password', 'certificate'] as const;

/** An address that names its parts (`user=`) or its login (`@`) may hold a password; so may one that has a word for it. */
const mayHoldSecret = (address: string): boolean =>
  /[@?=;#]|pass|pwd|token|secret|auth|key/i.test(address);

export function draftOf(step: Step, fields: Partial<CameraFields>, recording: NewRecording): Draft {
  const hidden = [
    ...secrets,
    ...addresses.filter((name) => mayHoldSecret(fields[name] ?? '')),
  ].filter((name) => (fields[name] ?? '') !== '');
  const without = Object.fromEntries([...hidden].map((name) => [name, newCamera[name]]));
  return {
    step,
    fields: { ...newCamera, ...fields, ...without },
    recording,
    lacksSecrets: hidden.length > 0,
  };
}

/** As it is written down; another account of the same tab does not read it. */
export const written = (userId: string, draft: Draft): string =>
  JSON.stringify({ userId, ...draft });

/** Null: none was kept, or not of this account. What is missing leads back to where it is asked for. */
export function readDraft(userId: string, text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<Draft & { userId: string }>;
    const step = steps.find((one) => one === kept.step);
    if (kept.userId !== userId || step === undefined || kept.fields === undefined) return null;
    const lacksSecrets = kept.lacksSecrets === true;
    return {
      step: lacksSecrets ? 'address' : step,
      fields: { ...newCamera, ...kept.fields },
      recording: newRecordings.find((one) => one === kept.recording) ?? 'motion',
      lacksSecrets,
    };
  } catch {
    return null;
  }
}
