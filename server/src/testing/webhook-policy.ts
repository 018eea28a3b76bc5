/** Where webhooks of tests may be: the policy of a machine that has no address but loopback. */
import type { AddressPolicy } from '#media/protocol/address-policy.ts';

export const aWebhookPolicy = (allowLoopback: boolean): AddressPolicy => ({
  allowLoopback,
  networks: [],
  ownAddresses: [],
  ownPorts: [],
});
