/** Turns push messages on and off in this browser, and says to the server that it is still there. */
import { pushRoutes, type PushDevice } from '@nazar/contract/push.ts';
import { call } from '#api/call.ts';
import { Problem } from '#api/problem.ts';
import { deviceOf } from '../device.ts';

/** `dismissed`: the question of the browser was closed. `service`: the browser got no address from its push service. */
export type PushFailureKind = 'refused' | 'dismissed' | 'certificate' | 'service';

export class PushFailure extends Error {
  override readonly name = 'PushFailure';
  readonly kind: PushFailureKind;

  constructor(kind: PushFailureKind, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Throws PushFailure, and Problem. `publicKey`: of the installation, in base64url. Asks only when it is pressed. */
export async function turnOn(publicKey: string): Promise<PushDevice> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    throw new PushFailure(permission === 'denied' ? 'refused' : 'dismissed');
  }
  const { pushManager } = await registered();
  return add(await subscribed(pushManager, publicKey));
}

/** `id`: of this device; null: the server does not know it. */
export async function turnOff(id: string | null): Promise<void> {
  if (id !== null) await call(pushRoutes.remove, { params: { id } });
  await (await subscription())?.unsubscribe();
}

/** The device that this browser is; null: it is none of the user's. */
export async function renew(): Promise<PushDevice | null> {
  const own = await subscription();
  if (own === null) return null;
  try {
    return await add(own, { only_renew: true });
  } catch (error) {
    const isNone = error instanceof Problem && error.status !== null && error.status < 500;
    if (isNone) return null;
    throw error;
  }
}

async function subscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function registered(): Promise<ServiceWorkerRegistration> {
  try {
    await navigator.serviceWorker.register(workerAddress());
    return await navigator.serviceWorker.ready;
  } catch (error) {
    // The page itself came, and its worker may not: the user passed a warning, which holds for pages alone.
    const isUntrusted = error instanceof DOMException && error.name === 'SecurityError';
    throw new PushFailure(isUntrusted ? 'certificate' : 'service', error);
  }
}

async function subscribed(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  try {
    const before = await manager.getSubscription();
    // It may be of another installation at this address, whose key is another.
    await before?.unsubscribe();
    return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (error) {
    const isDenied = error instanceof DOMException && error.name === 'NotAllowedError';
    throw new PushFailure(isDenied ? 'refused' : 'service', error);
  }
}

function add(own: PushSubscription, more: { only_renew?: boolean } = {}): Promise<PushDevice> {
  const { endpoint, keys } = own.toJSON();
  const fields = {
    endpoint: endpoint!,
    p256dh: keys!['p256dh']!,
    auth: keys!['auth']!,
    name: deviceOf(navigator.userAgent) ?? new URL(endpoint!).host,
  };
  return call(pushRoutes.add, { body: { ...fields, ...more } });
}

const workerPath = '/push-worker.js';

interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (given: string) => string },
  ): { createScriptURL(given: string): string };
}

let policy: ReturnType<ScriptPolicies['createPolicy']> | undefined;

/** The page may run no script by a text (Trusted Types): a policy lets through this one address. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: ScriptPolicies };
  policy ??= trustedTypes?.createPolicy('push-worker', {
    createScriptURL(given) {
      if (given !== workerPath) throw new TypeError('this is no worker of ours');
      return given;
    },
  });
  return policy?.createScriptURL(workerPath) ?? workerPath;
}
