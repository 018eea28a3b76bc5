/** A browser that can receive push messages, and a server that knows its devices. */
import { notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import {
  pushRoutes,
  pushSettingsRoutes,
  type PushDevice,
  type PushState,
} from '@nazar/contract/push.ts';
import { vi } from 'vitest';
import { anId } from './builders.ts';
import { someSettings } from './notifications.ts';
import { answer, type Seen } from './server.ts';

const service = 'push.example.org';

export const aPushDevice = (over: Partial<PushDevice> = {}): PushDevice => ({
  id: anId(),
  name: 'Chrome, Android',
  service,
  added_at: '2026-03-04T05:06:07.000Z',
  renewed_at: '2026-03-04T05:06:07.000Z',
  delivered_at: null,
  fault: null,
  ...over,
});

export interface FakeBrowser {
  permission: NotificationPermission;
  /** What the browser answers when it is asked. */
  asked: NotificationPermission;
  isSubscribed: boolean;
  /** Thrown where the worker is registered. */
  registerFault: Error | null;
  subscribeFault: Error | null;
}

/** Replaces what jsdom has not; a test changes what it is about. */
export function pushBrowser(over: Partial<FakeBrowser> = {}): FakeBrowser {
  const it: FakeBrowser = {
    permission: 'default',
    asked: 'granted',
    isSubscribed: false,
    registerFault: null,
    subscribeFault: null,
    ...over,
  };
  const subscription = {
    toJSON: () => ({
      endpoint: `https://${service}/one`,
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    }),
    unsubscribe: async () => !(it.isSubscribed = false),
  };
  const pushManager = {
    getSubscription: async () => (it.isSubscribed ? subscription : null),
    subscribe: async () => {
      if (it.subscribeFault) throw it.subscribeFault;
      it.isSubscribed = true;
      return subscription;
    },
  };
  const registration = { pushManager };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', Object);
  vi.stubGlobal('Notification', {
    get permission() {
      return it.permission;
    },
    requestPermission: async () => (it.permission = it.asked),
  });
  vi.stubGlobal('navigator', {
    ...navigatorOf(),
    serviceWorker: {
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
      register: async () => {
        if (it.registerFault) throw it.registerFault;
        return registration;
      },
    },
  });
  return it;
}

/** The browser of jsdom with all that it inherits. */
function navigatorOf(): object {
  const { userAgent, languages, language, onLine, clipboard } = navigator;
  return { userAgent, languages, language, onLine, clipboard };
}

/** A server with these devices; `own`: the one that the asking browser becomes. */
export function keepDevices(devices: PushDevice[], own: PushDevice, over: Partial<PushState> = {}) {
  let push = false;
  answer(pushRoutes.read, () => ({
    public_key: 'B'.repeat(87),
    content: 'event' as const,
    devices: [...devices],
    ...over,
  }));
  const settings = () => {
    const available = { email: true, push: devices.length > 0, sms: false };
    return someSettings({ push, available });
  };
  answer(notificationSettingsRoutes.read, settings);
  const changes: Seen[] = answer(notificationSettingsRoutes.change, ({ body }) => {
    push = (body as { push?: boolean }).push ?? push;
    return settings();
  });
  const added = answer(pushRoutes.add, () => {
    if (!devices.some(({ id }) => id === own.id)) devices.unshift(own);
    return own;
  });
  const removed = answer(pushRoutes.remove, ({ params }) => {
    devices.splice(
      devices.findIndex(({ id }) => id === params['id']),
      1,
    );
    return undefined as never;
  });
  const contents = answer(pushSettingsRoutes.change, ({ body }) => body as never);
  return { changes, added, removed, contents };
}
