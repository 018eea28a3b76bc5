/**
 * A small OpenID Connect provider on loopback: discovery, keys, an authorization endpoint that asks no user,
 * and a token endpoint that checks PKCE and the client. What it says can be bent, one answer at a time.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeHttp, listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';

export interface Bend {
  /** Added to, or instead of, what the identity token says. */
  readonly claims?: JWTPayload;
  /** How it is signed: not at all, or with a key that is not the provider's. */
  readonly signature?: 'none' | 'foreign';
  /** It was made that long ago, and was valid for five minutes. */
  readonly ageS?: number;
  /** Sent back instead of a code. */
  readonly error?: string;
  /** Sent back beside the code. */
  readonly back?: Readonly<Record<string, string>>;
}

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in there next. */
  person: JWTPayload & { sub: string };
  /** What is wrong with the next answer. */
  bend: Bend;
  /** Where the provider sends a browser that came to this address. */
  visit(address: string): URL;
  /** Requests by us so far: paths. */
  readonly asked: readonly string[];
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirect: string;
  /** It was asked to ask anew who is there. */
  readonly isAnew: boolean;
}

export async function testProvider(): Promise<TestProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { privateKey: foreignKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const asked: string[] = [];
  const [clientId, clientSecret] = ['nazar', randomBytes(16).toString('hex')];
  const server = createServer((request, reply) => {
    asked.push(request.url ?? '');
    void answer(request, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)));
  });
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'person-1', email: 'elsewhere@example.org', email_verified: true },
    bend: {},
    asked,
    visit,
    [Symbol.asyncDispose]: () => closeHttp(server),
  };
  return provider;

  function visit(address: string): URL {
    const query = new URL(address).searchParams;
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (provider.bend.error !== undefined) {
      back.searchParams.set('error', provider.bend.error);
      return back;
    }
    const code = randomBytes(16).toString('hex');
    grants.set(code, {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirect: query.get('redirect_uri') ?? '',
      isAnew: query.get('prompt') === 'login' && query.get('max_age') === '0',
    });
    back.searchParams.set('code', code);
    for (const [name, value] of Object.entries(provider.bend.back ?? {})) {
      back.searchParams.set(name, value);
    }
    return back;
  }

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', issuer);
    const send = (status: number, body: object): void => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration') return send(200, metadata());
    if (pathname === '/jwks') return send(200, { keys: [jwk] });
    if (pathname === '/authorize') {
      reply.writeHead(302, { location: visit(issuer + (request.url ?? '')).href }).end();
      return;
    }
    if (pathname !== '/token') return send(404, {});
    const form = new URLSearchParams(await text(request));
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? ''); // a code works once
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isOurs = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    if (!isOurs) return send(401, { error: 'invalid_client' });
    const isGood = grant?.challenge === verifier.digest('base64url');
    if (!grant || !isGood || grant.redirect !== form.get('redirect_uri')) {
      return send(400, { error: 'invalid_grant' });
    }
    send(200, {
      access_token: randomBytes(16).toString('hex'),
      token_type: 'Bearer',
      id_token: await identityToken(grant),
    });
  }

  function metadata(): object {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async function identityToken({ nonce, isAnew }: Grant): Promise<string> {
    const { claims = {}, signature, ageS = 0 } = provider.bend;
    const madeS = Math.floor(Date.now() / 1000) - ageS;
    const said = {
      iss: issuer,
      aud: clientId,
      nonce,
      iat: madeS,
      exp: madeS + 300,
      ...(isAnew && { auth_time: madeS }),
      ...provider.person,
      ...claims,
    };
    if (signature === 'none') return new UnsecuredJWT(said).encode();
    const key = signature === 'foreign' ? foreignKey : privateKey;
    return new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);
  }
}
