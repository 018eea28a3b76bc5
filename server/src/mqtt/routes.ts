import { mqttRoutes } from '@nazar/contract/mqtt.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Mqtt } from './mqtt.ts';

export function mqttEndpoints(api: Api, mqtt: Mqtt): void {
  serve(api, mqttRoutes.read, () => mqtt.read());
  serve(api, mqttRoutes.change, ({ scope, body }) => mqtt.change(scope, body));
  serve(api, mqttRoutes.test, async ({ body }) => ({ fault: await mqtt.test(body) }));
}
