/** What is asked and changed about push messages. */
import { notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import { pushRoutes, pushSettingsRoutes, type PushContent } from '@nazar/contract/push.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { renew, turnOff, turnOn } from './subscribing.ts';

export const pushQuery = () => ask('account', pushRoutes.read, {});

/** The device that this browser is, for this user. */
export const thisDeviceQuery = () => ({
  queryKey: ['account', 'this push device'],
  queryFn: renew,
});

/** A user who turns it on wishes for it, too. */
export const useTurnOn = () =>
  useChange('account', async (publicKey: string) => {
    const device = await turnOn(publicKey);
    await call(notificationSettingsRoutes.change, { body: { push: true } });
    return device;
  });
export const useTurnOff = () => useChange('account', turnOff);
export const useTestDevice = () =>
  useChange('account', (id: string) => call(pushRoutes.test, { params: { id } }));
export const useRemoveDevice = () =>
  useRemoval(
    'account',
    (id: string) => id,
    (id) => call(pushRoutes.remove, { params: { id } }),
  );
export const useChangeContent = () =>
  useChange('account', (content: PushContent) =>
    call(pushSettingsRoutes.change, { body: { content } }),
  );
