/** The address of a camera's recordings, and what writes it. */
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { changed, type RecordingsChange, type RecordingsSearch } from './recordings-address.ts';

const route = getRouteApi('/shell/recordings/$cameraId');

export interface ArchiveAddress {
  readonly search: RecordingsSearch;
  /** `replace`: without a step back to what was before. */
  readonly go: (change: RecordingsChange, replace?: boolean) => void;
  /** The whole address, for another browser. */
  readonly hrefOf: (linked: RecordingsSearch) => string;
}

export function useArchiveAddress(cameraId: string): ArchiveAddress {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  return {
    search,
    go: (change, replace = false) =>
      void navigate({ search: changed(search, change), replace, resetScroll: false }),
    hrefOf: (linked) => {
      const to = '/recordings/$cameraId' as const;
      const { href } = router.buildLocation({ to, params: { cameraId }, search: linked });
      return new URL(href, location.origin).href;
    },
  };
}
