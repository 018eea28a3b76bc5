import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Highlight } from './highlight.tsx';

test('LOG-038 the searched words are marked as the server finds them, whatever the capitals', () => {
  render(<Highlight text="Deleted İLQAR IŞIQLI at Giriş" term="ilqar ışıqlı" />);
  expect(screen.getByText('İLQAR IŞIQLI').tagName).toBe('MARK');
});
