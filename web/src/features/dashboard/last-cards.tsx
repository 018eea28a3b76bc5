/** The cards at the end of the page: nothing moves when they come. */
import type { SystemHealth } from '@nazar/contract/system.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { RecentAlerts } from './recent-alerts.tsx';
import { SystemStatus } from './system-status.tsx';

export interface LastCardsProps {
  health: UseQueryResult<SystemHealth>;
}

export function LastCards({ health }: LastCardsProps) {
  return (
    <>
      <SystemStatus query={health} />
      <RecentAlerts />
    </>
  );
}
