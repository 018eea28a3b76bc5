/** What a media worker does with a question. Each kind loads what it needs, so that few pay for FFmpeg. */
import { systemClock } from '#lib/clock.ts';
import type { Answer, Message } from '#lib/wire.ts';
import type { AskWorker } from './worker-messages.ts';

export async function answer({ head }: Message): Promise<Answer> {
  const question = head as AskWorker;
  if (question.kind === 'thumbnail') {
    const { thumbnail } = await import('./thumbnail.ts');
    const body = await thumbnail(question);
    return { head: { isPicture: body !== null }, ...(body && { body }) };
  }
  const { testConnection } = await import('../probing/connection-test.ts');
  return { head: await testConnection(question, systemClock) };
}
