/** Recording settings with sensible contents; a test names only what it is about. */
import type { RecordingForecast, RecordingSettings } from '@nazar/contract/recording-plans.ts';

const main = { stream: 'main', width: 1280, height: 720, sound: false } as const;

export const someSettings = (over: Partial<RecordingSettings> = {}): RecordingSettings => ({
  storagePath: '/recordings/22222222-2222-4222-8222-222222222222/',
  continuousRecording: false,
  motionDetection: true,
  schedule: null,
  retentionDays: 30,
  quality: 'medium',
  recorded: main,
  qualities: { low: main, medium: main, high: main, ultra: main },
  ...over,
});

export const aForecast = (over: Partial<RecordingForecast> = {}): RecordingForecast => ({
  wanted_days: 30,
  kept_days: 30,
  bytes_per_day: 12_400_000_000,
  capacity_bytes: 900_000_000_000,
  recorded: main,
  ...over,
});
