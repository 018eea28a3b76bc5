import { expect, test } from 'vitest';
import { aFace as face } from '#testing/cameras.ts';
import { FaceTimeline } from './face-timeline.ts';

test('=LIVE-006 the message of the picture, or the latest before it, is the one drawn', () => {
  const timeline = new FaceTimeline();
  timeline.add(10, [face({ name: 'first' })]);
  timeline.add(10.2, [face({ name: 'second' })]);
  expect(timeline.facesAt(9.9)).toEqual([]);
  expect(timeline.facesAt(10)[0]?.name).toBe('first');
  expect(timeline.facesAt(10.199)[0]?.name).toBe('second');
  expect(timeline.facesAt(10.19)[0]?.name).toBe('first');
  expect(timeline.facesAt(10.3)[0]?.name).toBe('second');
});

test('a box older than 700 ms is hidden, an empty message hides at once', () => {
  const timeline = new FaceTimeline();
  timeline.add(10, [face()]);
  expect(timeline.facesAt(10.7)).toHaveLength(1);
  expect(timeline.facesAt(10.71)).toEqual([]);
  timeline.add(10.1, []);
  expect(timeline.facesAt(10.15)).toEqual([]);
});

test('between two messages the box moves from one to the other', () => {
  const timeline = new FaceTimeline();
  timeline.add(1, [face({ x: 0.2, width: 0.1 })]);
  timeline.add(1.4, [face({ x: 0.4, width: 0.2 })]);
  const [moved] = timeline.facesAt(1.1);
  expect(moved?.x).toBeCloseTo(0.25);
  expect(moved?.width).toBeCloseTo(0.125);
});

test('after the newest message the box goes on at its pace, one interval at most', () => {
  const timeline = new FaceTimeline();
  timeline.add(1, [face({ x: 0.2 })]);
  timeline.add(1.2, [face({ x: 0.3 })]);
  expect(timeline.facesAt(1.3)[0]?.x).toBeCloseTo(0.35);
  expect(timeline.facesAt(1.4)[0]?.x).toBeCloseTo(0.4);
  expect(timeline.facesAt(1.8)[0]?.x).toBeCloseTo(0.4);
});

test('only the same track is followed, and only over a short gap', () => {
  const timeline = new FaceTimeline();
  timeline.add(1, [face({ track_id: 'b', x: 0.9 })]);
  timeline.add(1.2, [face({ x: 0.3 })]);
  expect(timeline.facesAt(1.3)[0]?.x).toBe(0.3);
  timeline.clear();
  timeline.add(1, [face({ x: 0.1 })]);
  timeline.add(2, [face({ x: 0.9 })]);
  expect(timeline.facesAt(1.5)[0]?.x).toBe(0.1);
  expect(timeline.facesAt(2.1)[0]?.x).toBe(0.9);
});

test('a name changes with its message, never before', () => {
  const timeline = new FaceTimeline();
  timeline.add(1, [face({ state: 'undecided', name: null, confidence: null })]);
  timeline.add(1.2, [face()]);
  expect(timeline.facesAt(1.1)[0]).toMatchObject({ state: 'undecided', name: null });
  expect(timeline.facesAt(1.2)[0]).toMatchObject({ state: 'known', name: 'Leyla Hasanova' });
});

test('messages out of order find their place, old ones go, a new stream begins empty', () => {
  const timeline = new FaceTimeline();
  timeline.add(5, [face({ name: 'later' })]);
  timeline.add(4.9, [face({ name: 'earlier' })]);
  expect(timeline.facesAt(4.95)[0]?.name).toBe('earlier');
  timeline.add(30, []);
  expect(timeline.facesAt(5.1)).toEqual([]);
  timeline.clear();
  expect(timeline.facesAt(30)).toEqual([]);
});
