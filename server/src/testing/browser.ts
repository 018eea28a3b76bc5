/** What a browser does to sign in at a provider elsewhere, there and back. */
import assert from 'node:assert/strict';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import type { TestProvider } from './provider.ts';
import type { TestServer } from './server.ts';

const base = '/secure-api/accounts/oidc';

/** A browser: keeps cookies, and says where its requests come from. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Under which name it opened Nazar. */
  host = '127.0.0.1';
  readonly #server: TestServer;
  readonly #provider: TestProvider;

  constructor(server: TestServer, provider: TestProvider) {
    this.#server = server;
    this.#provider = provider;
  }

  async send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, access?: string) {
    const reply = await this.#server.app.inject({
      method,
      url,
      headers: {
        host: this.host,
        // A navigation that another site caused, or a call of our own page.
        'sec-fetch-site': method === 'GET' && !access ? 'cross-site' : 'same-origin',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      },
      ...(body ? { payload: body } : {}),
    });
    for (const { name, value } of reply.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  async begin(remember = false): Promise<string> {
    return (await this.send('POST', `${base}/begin/`, { remember })).json<{ url: string }>().url;
  }

  /** Where it lands when it comes back by this address. */
  async return(address: URL): Promise<string> {
    const reply = await this.send('GET', address.pathname + address.search);
    assert.equal(reply.statusCode, 303);
    return String(reply.headers['location']);
  }

  complete() {
    return this.send('POST', `${base}/complete/`, {});
  }

  /** The whole way; where it landed when that was not the last step. */
  async signIn(): Promise<LoginReply | string> {
    const landed = await this.return(this.#provider.visit(await this.begin()));
    return landed === '/login?signOn=proven' ? (await this.complete()).json() : landed;
  }
}
