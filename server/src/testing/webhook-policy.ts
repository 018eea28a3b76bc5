/** Where webhooks of tests may be: the policy of a machine that has no address but loopback. */
import type { AddressPolicy } from '#media/protocol/address-policy.ts';
import { everywhere } from '#media/protocol/own-addresses.ts';

export const aWebhookPolicy = (allowLoopback: boolean): AddressPolicy => ({
  allowLoopback,
  networks: everywhere,
  ownAddresses: [],
  ownPorts: [],
});
