import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { BarList } from './bar-list.tsx';
import { ChartView } from './chart-view.tsx';
import { Donut } from './donut.tsx';
import { Heatmap, HeatmapLegend } from './heatmap.tsx';
import { TimeChart } from './time-chart.tsx';

beforeAll(everySentence);

const series = [
  { key: 'known', label: 'Recognized', color: 'var(--c1)' },
  { key: 'unknown', label: 'Unknown', color: 'var(--c2)' },
];
const rows = [
  { key: 'mon', label: 'Monday', values: [30, 10] },
  { key: 'tue', label: 'Tuesday', values: [5, 15] },
];
const data = { label: 'Visits by day', rowHeader: 'Day', series, rows, formatValue: String };

test.each(['lines', 'bars'] as const)(
  'arrow keys read the values of %s, and Enter leads to what they count',
  async (form) => {
    const onOpen = vi.fn();
    render(<TimeChart form={form} data={{ ...data, onOpen }} />);
    await userEvent.tab();
    const chart = screen.getByRole('slider', { name: 'Visits by day' });
    expect(chart).toHaveAttribute('aria-valuetext', 'Tuesday · Recognized 5 · Unknown 15');
    await userEvent.keyboard('{ArrowLeft}');
    expect(chart).toHaveAttribute('aria-valuetext', 'Monday · Recognized 30 · Unknown 10');
    await userEvent.keyboard('{ArrowLeft}{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith('mon');
    await userEvent.keyboard('{End}{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith('tue');
  },
);

test.each([
  ['bars', ['14%', '36%', '64%', '14%']],
  ['lines', ['14%', '36%', '64%', '14%']],
] as const)('the names under %s stand under what they name', (form, places) => {
  const week = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'].map((key) => ({
    key,
    label: key,
    values: [1, 1],
  }));
  render(<TimeChart form={form} data={{ ...data, rows: week }} />);
  // The boxes of the outer ones, in whose middle they are, end at the edge of the chart.
  const placeOf = (name: string): string => {
    const { left, width } = screen.getByText(name).style;
    return `${Math.round(Number.parseFloat(width || left))}%`;
  };
  expect(['mo', 'we', 'fr', 'su'].map(placeOf)).toEqual(places);
});

test('a table says the same as the chart, and leads to the same', async () => {
  const onOpen = vi.fn();
  render(
    <ChartView data={{ ...data, onOpen }}>
      <p>drawn</p>
    </ChartView>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show as table: Visits by day' }));
  expect(screen.queryByText('drawn')).toBeNull();
  const cells = within(screen.getByRole('table')).getAllByRole('row');
  expect(cells.map((row) => row.textContent)).toEqual([
    'DayRecognizedUnknown',
    'Monday3010',
    'Tuesday515',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Monday' }));
  expect(onOpen).toHaveBeenCalledWith('mon');
  await userEvent.click(screen.getByRole('button', { name: 'Show as chart: Visits by day' }));
  expect(screen.getByText('drawn')).toBeVisible();
});

test('LDC-001, LDC-002 bars are as long as their totals are against the largest', async () => {
  const onOpen = vi.fn();
  const { container } = render(<BarList data={{ ...data, onOpen }} selected="tue" />);
  const widths = [...container.querySelectorAll<HTMLElement>('[style*="width"]')];
  expect(widths.map(({ style }) => [style.left, style.width])).toEqual([
    ['0%', '75%'],
    ['75%', '25%'],
    ['0%', '12.5%'],
    ['12.5%', '37.5%'],
  ]);
  const [monday, tuesday] = screen.getAllByRole('button');
  expect(tuesday).toHaveAttribute('aria-pressed', 'true');
  expect(monday).toHaveTextContent('30 + 10 = 40');
  await userEvent.tab();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onOpen).toHaveBeenCalledWith('tue');
});

test('a donut names its shares with figures and per cents', async () => {
  const onOpen = vi.fn();
  const shares = series.map((one, index) => ({ ...one, value: [3, 1][index]! }));
  render(
    <Donut
      label="Ratio"
      shares={shares}
      formatValue={String}
      formatShare={(share) => `${share * 100}%`}
      onOpen={onOpen}
    />,
  );
  const [known, unknown] = screen.getAllByRole('button');
  expect(known).toHaveTextContent('Recognized375%');
  await userEvent.click(unknown!);
  expect(onOpen).toHaveBeenCalledWith('unknown');
});

test('LDH-003, LDH-004 a heatmap is a table whose cells are read by arrow keys', async () => {
  const onOpen = vi.fn();
  const cell = (key: string, value: number) => ({ key, label: key, value });
  render(
    <>
      <Heatmap
        label="Hours"
        columns={[
          { key: '0', label: '0' },
          { key: '1', label: '1' },
        ]}
        rows={[
          { key: 'mon', label: 'Monday', cells: [null, cell('mon 1', 6)] },
          { key: 'tue', label: 'Tuesday', cells: [cell('tue 0', 0), cell('tue 1', 1)] },
        ]}
        formatValue={String}
        onOpen={onOpen}
      />
      <HeatmapLegend largest={0} formatValue={String} />
    </>,
  );
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'mon 1 · 6' })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}{ArrowDown}{ArrowLeft}');
  expect(screen.getByRole('button', { name: 'tue 0 · 0' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onOpen).toHaveBeenCalledWith('tue 0');
  const levels = screen.getAllByRole('button').map((button) => button.dataset['step']);
  expect(levels).toEqual(['6', '0', '1']);
  expect(screen.getByText('High (1)')).toBeVisible();
});

test('dragging over a chart narrows it, a click leads to what it counts', () => {
  const [onOpen, onZoom] = [vi.fn(), vi.fn()];
  const days = ['mon', 'tue', 'wed', 'thu'].map((key) => ({ key, label: key, values: [1, 1] }));
  render(<TimeChart form="bars" data={{ ...data, rows: days, onOpen, onZoom }} />);
  const chart = screen.getByRole('slider');
  chart.getBoundingClientRect = () => new DOMRect(0, 0, 400, 200);
  const at = (clientX: number) => ({ clientX, pointerType: 'mouse' });
  fireEvent.pointerDown(chart, at(350));
  fireEvent.pointerMove(chart, at(150));
  fireEvent.click(chart, at(150));
  expect(onZoom).toHaveBeenCalledWith('tue', 'thu');
  expect(onOpen).not.toHaveBeenCalled();
  fireEvent.pointerDown(chart, at(250));
  fireEvent.click(chart, at(250));
  expect(onOpen).toHaveBeenCalledWith('wed');
});
