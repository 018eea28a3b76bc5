/** Node's fetch made to take what a page gives it: relative addresses, and jsdom's own forms and files. */
import { File as NodeFile } from 'node:buffer';

type NodeForm = new () => { append: (name: string, value: unknown) => void };

/** jsdom hides Node's FormData behind its own; an answer of Node's fetch still makes one. */
async function nodeFormData(): Promise<NodeForm> {
  const form = await new Response(new URLSearchParams()).formData();
  return form.constructor as unknown as NodeForm;
}

/** `asking` receives every request, as `METHOD address`. */
export async function pageFetch(
  fetch: typeof globalThis.fetch,
  asking: (name: string) => void,
): Promise<typeof globalThis.fetch> {
  const Form = await nodeFormData();
  return async (input, init) => {
    const url = typeof input === 'string' ? new URL(input, location.href) : input;
    if (url instanceof URL) asking(`${init?.method ?? 'GET'} ${url.href}`);
    if (!(init?.body instanceof FormData)) return fetch(url, init);
    const form = new Form();
    for (const [name, value] of init.body) {
      const { type } = value as File;
      form.append(
        name,
        typeof value === 'string'
          ? value
          : new NodeFile([new Uint8Array(await value.arrayBuffer())], value.name, { type }),
      );
    }
    return fetch(url, { ...init, body: form as unknown as FormData });
  };
}
