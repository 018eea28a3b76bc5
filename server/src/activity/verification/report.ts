/**
 * The result of a verification as a file to keep: JSON that people can read, then one line with the signature of this
 * installation over everything before it. Anyone with the public key can check it, without this installation.
 */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import {
  ChainResult,
  type ChainFault,
  type ChainResult as Result,
} from '@nazar/contract/chain-verification.ts';
import { publicKeyText } from '#lib/secrets.ts';
import type { Anchor } from '../anchors.ts';
import type { Fault, Place, Verdict } from '../verify.ts';

const Time = z.iso.datetime();
const Name = z.string().check(z.maxLength(1_000));

/** Checks the contents of an uploaded file even if its signature is right: anyone can sign. */
const Report = z.extend(ChainResult, {
  kind: z.literal('verification of a Nazar activity log'),
  version: z.literal(1),
  verification: Name,
  began_at: Time,
  ended_at: Time,
  /** Id of the account. */
  asked_by: Name,
  /** Base64 of SPKI. */
  public_key: Name,
});
export type Report = z.infer<typeof Report>;

export type ReportVerdict =
  | { readonly fault: null; readonly report: Report }
  /** `foreign`: unchanged, and signed by another installation. */
  | { readonly fault: 'no_report' | 'changed' | 'foreign'; readonly report: Report | null };

const mark = '\nSignature: ';

export function signedReport(
  report: Omit<Report, 'kind' | 'version' | 'public_key'>,
  { privateKey, publicKey }: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): string {
  const whole: Report = {
    kind: 'verification of a Nazar activity log',
    version: 1,
    ...report,
    public_key: publicKeyText(publicKey),
  };
  const text = JSON.stringify(whole, null, 2);
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}${mark}${signature.toString('base64')}\n`;
}

/** `ours`: the public key of this installation. */
export function readReport(file: string, ours: KeyObject): ReportVerdict {
  const at = file.lastIndexOf(mark);
  const text = file.slice(0, Math.max(at, 0));
  try {
    const report = Report.parse(JSON.parse(text));
    const der = Buffer.from(report.public_key, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signature = file.slice(at + mark.length);
    const bytes = Buffer.from(signature, 'base64');
    // Base64 has other spellings of the same bytes: the file must equal what was written, to the letter.
    const isWritten = signature === `${bytes.toString('base64')}\n`;
    if (!isWritten || !verify(null, Buffer.from(text), key, bytes)) {
      return { fault: 'changed', report };
    }
    const isOurs = publicKeyText(ours) === report.public_key;
    return isOurs ? { fault: null, report } : { fault: 'foreign', report };
  } catch {
    return { fault: 'no_report', report: null };
  }
}

export function resultOf(verdict: Verdict): Result {
  const { entries, pruned, unsealed, fault, first, last, anchors, lastAnchor } = verdict;
  return {
    whole: fault === null,
    fault: fault && faultOf(fault),
    entries,
    first: first && placeOf(first),
    last: last && { ...placeOf(last), signature: last.mac.toString('hex') },
    pruned,
    anchors: { count: anchors, last: lastAnchor && anchorOf(lastAnchor) },
    unsealed,
  };
}

const nothing = {
  sequence: null,
  found: null,
  id: null,
  recorded_at: null,
  anchor: null,
  line: null,
};

function faultOf(fault: Fault): ChainFault {
  const recorded = 'recordedAt' in fault ? fault.recordedAt : null;
  return {
    ...nothing,
    kind: fault.kind,
    ...('sequence' in fault && { sequence: fault.sequence }),
    ...('found' in fault && { found: fault.found }),
    ...('id' in fault && { id: fault.id }),
    recorded_at: recorded && recorded.toISOString(),
    ...('anchor' in fault && { anchor: anchorOf(fault.anchor) }),
    ...('line' in fault && { line: fault.line }),
  };
}

const placeOf = ({ sequence, recordedAt }: Place) => ({
  sequence,
  recorded_at: recordedAt.toISOString(),
});

const anchorOf = ({ sequence, at }: Anchor) => ({ sequence, at });
