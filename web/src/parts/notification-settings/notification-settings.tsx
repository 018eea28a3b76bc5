/** What the user wishes to hear of, and how. Its code comes when it is opened, its sentences with the page. */
import { onDemand } from '#lib/on-demand.tsx';

export const { Component: NotificationSettings } = onDemand<object>(
  async () => (await import('./own-settings.tsx')).OwnSettings,
);
