/** Recordings with sensible contents; a test names only what it is about. */
import type { Recording, RecordingStatistics } from '@nazar/contract/recordings.ts';
import { anId } from './builders.ts';

export const aRecording = (over: Partial<Recording> = {}): Recording => {
  const id = over.id ?? anId();
  return {
    id,
    cameraId: '22222222-2222-4222-8222-222222222222',
    cameraName: 'Gate',
    cameraDeleted: false,
    name: 'Gate',
    type: 'continuous',
    date: '2026-01-15',
    startTime: '2026-01-15T12:00:00.000Z',
    endTime: '2026-01-15T12:10:00.000Z',
    isActive: false,
    duration: 600,
    size: 24.96,
    bytes: 24_960_000,
    segments: 60,
    hasMotion: null,
    hasFaces: false,
    faceCount: 0,
    held: false,
    path: `/secure-api/recordings/${id}/download/`,
    thumbnail: `/secure-api/recordings/${id}/thumbnail/`,
    ...over,
  };
};

export const someStatistics = (over: Partial<RecordingStatistics> = {}): RecordingStatistics => ({
  recordings: 48,
  duration: 93_900,
  size: 12_345.6,
  bytes: 12_345_600_000,
  faces: 7,
  storage: {
    total_bytes: 500_000_000_000,
    free_bytes: 85_000_000_000,
    used_percent: 83,
    remaining_percent: 17,
  },
  fit: null,
  hung_folders: [],
  ...over,
});
