/** Answers a question in a media worker. Each kind loads what it needs, so that few load FFmpeg. */
import { systemClock } from '#lib/clock.ts';
import { hashFile } from '#lib/hash-file.ts';
import type { Answer, Message } from '#lib/ipc.ts';
import type { SourceFiles } from '../export/source-files.ts';
import type { AskExport, AskWorker, SourceFile, StillFile } from '../protocol/worker-messages.ts';

/** `signal`: the answer is not wanted any more. */
export async function answer({ head, body }: Message, signal: AbortSignal): Promise<Answer> {
  const question = head as AskWorker;
  switch (question.kind) {
    case 'connection': {
      const { testConnection } = await import('./camera-probe.ts');
      return await testConnection(question, systemClock);
    }
    case 'diagnosis': {
      const { diagnose } = await import('./diagnosis/diagnose.ts');
      return { head: await diagnose(question, systemClock) };
    }
    case 'thumbnail': {
      const { thumbnail } = await import('./thumbnail.ts');
      const picture = await thumbnail(question);
      return { head: { isPicture: picture !== null }, ...(picture && { body: picture }) };
    }
    case 'stills': {
      const { maskedStills } = await import('./masked/masked-stills.ts');
      return await maskedStills(question, JSON.parse(body.toString()) as StillFile[], signal);
    }
    case 'masked': {
      const { maskedPart } = await import('./masked/masked-part.ts');
      return await maskedPart(question, signal);
    }
    case 'export': {
      const sources = JSON.parse(body.toString()) as SourceFile[];
      const { writeExport } = await import('../export/write-export.ts');
      await using files = await exportFiles(question);
      return { head: await writeExport(question, sources, files) };
    }
    case 'hash': {
      const { sha256 } = await hashFile(question.file);
      return { head: { sha256: sha256.toString('hex') } };
    }
    case 'discovery': {
      const { discovered } = await import('./onvif/answers.ts');
      return { head: await discovered(question, systemClock) };
    }
    case 'device': {
      const { described } = await import('./onvif/answers.ts');
      return { head: await described(question, systemClock) };
    }
    case 'movement': {
      const { moved } = await import('./onvif/answers.ts');
      return { head: await moved(question, systemClock) };
    }
    default:
      throw new Error('nothing a worker was asked before');
  }
}

/** The files of an export: as they were recorded, or encoded anew with masks. */
async function exportFiles({ masks, target, ...period }: AskExport): Promise<SourceFiles> {
  if (!masks) {
    const { RecordedFiles } = await import('../export/source-files.ts');
    return new RecordedFiles();
  }
  const { MaskedFiles } = await import('./masked/masked-files.ts');
  return new MaskedFiles(target, masks, period);
}
