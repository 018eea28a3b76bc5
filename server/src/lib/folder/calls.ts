/** What the server requests from a folder's process, and the reply: the name of a call, its arguments, and bytes. */
import type { Answer, Message } from '../ipc.ts';
import type { FileFunctions, FolderFiles } from './folder-files.ts';
import { LocalFiles } from './local-files.ts';

export type CallName = keyof FolderFiles;

export interface AskCall {
  /** `ready`: whether the process runs; it touches no disk. */
  readonly call: CallName | 'ready';
  readonly folder: string;
  readonly markFile: string;
  readonly words: readonly (string | number | readonly number[])[];
}

/** `failed`: the error of the file system. Bytes that were read are the answer's body. */
export type AnswerCall =
  | { readonly value: unknown; readonly isBytes: boolean }
  | { readonly failed: { readonly code: string | null; readonly message: string } };

/** The calls that take bytes besides their arguments. */
const taking: readonly string[] = ['write', 'append'] satisfies CallName[];

/** The side of the process. `functions`: the ones that `run` can call. */
export const answerCalls =
  (functions: FileFunctions) =>
  ({ head, body }: Message): Promise<Answer> =>
    answerCall(head as AskCall, body, functions);

async function answerCall(
  { call, folder, markFile, words }: AskCall,
  body: Buffer,
  functions: FileFunctions,
): Promise<Answer> {
  if (call === 'ready') return { head: { value: null, isBytes: false } satisfies AnswerCall };
  const files = new LocalFiles(folder, markFile, functions);
  const method = files[call] as (...words: unknown[]) => Promise<unknown>;
  try {
    const value = await method.apply(files, taking.includes(call) ? [...words, body] : [...words]);
    if (!Buffer.isBuffer(value)) {
      return { head: { value: value ?? null, isBytes: false } satisfies AnswerCall };
    }
    return { head: { value: null, isBytes: true } satisfies AnswerCall, body: value };
  } catch (error) {
    const { code = null, message } = error as { code?: string; message: string };
    return { head: { failed: { code, message } } satisfies AnswerCall };
  }
}

/** The server's side. Throws the error of the file system. */
export function valueIn({ head, body }: Message<AnswerCall>): unknown {
  if (!('failed' in head)) return head.isBytes ? body : head.value;
  const { code, message } = head.failed;
  throw Object.assign(new Error(message), code === null ? {} : { code });
}
