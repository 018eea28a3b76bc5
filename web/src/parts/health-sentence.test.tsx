import { ingestCauses, ingestStates, type CameraHealth } from '@nazar/contract/cameras.ts';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { chooseLanguage } from '#lib/i18n.ts';
import { someHealth } from '#testing/cameras.ts';
import { useHealthSentence } from './health-sentence.ts';

beforeAll(everySentence);

function Sentence({ health }: { health: CameraHealth }) {
  return <p>{useHealthSentence(health)}</p>;
}

beforeEach(() => vi.useFakeTimers());
afterEach(async () => {
  vi.useRealTimers();
  await chooseLanguage('en');
});

const refused = (): CameraHealth =>
  someHealth({
    state: 'offline',
    cause: 'password_refused',
    retry_at: new Date(Date.now() + 40_000).toISOString(),
  });

test('C-513 the state, its cause, and the next try as it comes nearer', () => {
  render(<Sentence health={refused()} />);
  const words = 'Offline: the camera refused the password';
  expect(screen.getByText(`${words}. Next try in 40 sec`)).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByText(`${words}. Next try in 30 sec`)).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(31_000));
  expect(screen.getByText(words)).toBeInTheDocument();
});

test('C-513 in the language of the reader', async () => {
  await chooseLanguage('ru');
  render(<Sentence health={refused()} />);
  expect(
    screen.getByText('Не в сети: камера не приняла пароль. Следующая попытка через 40 с'),
  ).toBeInTheDocument();
});

test('C-513 every state and every cause has words of its own', () => {
  const said = new Set<string>();
  const { container, rerender } = render(<Sentence health={someHealth()} />);
  const all = [
    ...ingestStates.map((state) => someHealth({ state })),
    ...ingestCauses.slice(1).map((cause) => someHealth({ state: 'offline', cause })),
  ];
  for (const health of all) {
    rerender(<Sentence health={health} />);
    said.add(container.textContent);
  }
  expect(said.size).toBe(all.length);
});
