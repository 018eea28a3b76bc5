/** The cameras and the groups that rules can name. */
import { useQuery } from '@tanstack/react-query';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { cameraGroupsQuery } from '../queries.ts';
import type { Known } from './gone.ts';

export function useKnownPlaces(): { readonly cameras: Known; readonly groups: Known } {
  const { cameras, isComplete } = useOwnCameras();
  const groups = useQuery(cameraGroupsQuery).data?.results;
  return {
    cameras: { all: cameras, isComplete },
    groups: { all: groups ?? [], isComplete: groups !== undefined },
  };
}
