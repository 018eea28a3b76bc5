/** What a media worker does with a question. Each kind loads what it needs, so that few pay for FFmpeg. */
import { systemClock } from '#lib/clock.ts';
import { hashFile } from '#lib/hash-file.ts';
import type { Answer, Message } from '#lib/wire.ts';
import type { SourceFile } from '../export/film-plan.ts';
import type { AskWorker } from './worker-messages.ts';

export async function answer({ head, body }: Message): Promise<Answer> {
  const question = head as AskWorker;
  switch (question.kind) {
    case 'connection': {
      const { testConnection } = await import('../probing/connection-test.ts');
      return { head: await testConnection(question, systemClock) };
    }
    case 'thumbnail': {
      const { thumbnail } = await import('./thumbnail.ts');
      const picture = await thumbnail(question);
      return { head: { isPicture: picture !== null }, ...(picture && { body: picture }) };
    }
    case 'film': {
      const { writeFilm } = await import('../export/write-film.ts');
      const sources = JSON.parse(body.toString()) as SourceFile[];
      return { head: await writeFilm(question, sources) };
    }
    case 'hash': {
      const { sha256 } = await hashFile(question.file);
      return { head: { sha256: sha256.toString('hex') } };
    }
    case 'discovery': {
      const { discovered } = await import('../onvif/answers.ts');
      return { head: await discovered(question, systemClock) };
    }
    case 'device': {
      const { described } = await import('../onvif/answers.ts');
      return { head: await described(question, systemClock) };
    }
    case 'movement': {
      const { moved } = await import('../onvif/answers.ts');
      return { head: await moved(question, systemClock) };
    }
    default:
      throw new Error('nothing a worker was asked before');
  }
}
