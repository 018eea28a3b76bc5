import { CameraFields } from '@nazar/contract/cameras.ts';
import { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { settingsSections } from '@nazar/contract/settings.ts';
import { beforeAll, expect, test } from 'vitest';
import { languages, needSentences, showLanguage, translate } from '#lib/i18n.ts';
import { fieldLabel, fieldValue } from './field-words.ts';

beforeAll(() => needSentences('every'));

const settings = Object.values(settingsSections).map(({ schema }) => schema);
const fields = [...settings, CameraFields, RecordingSettingsPatch].flatMap(({ shape }) =>
  Object.keys(shape),
);

test.each(languages)(
  'LOG-019 each field of the settings, of a camera and of its recording has a label in %s',
  async (language) => {
    await showLanguage(language);
    for (const field of [...fields, 'section']) {
      const label = fieldLabel(translate, field);
      expect(label, field).not.toBe(field);
      expect(label, field).not.toMatch(/^\w+\.\w+/);
    }
    await showLanguage('en');
  },
);

test('LOG-019 values of a list are read in words; an unknown name stands as it came', () => {
  expect(fieldLabel(translate, 'enabledFeatures')).toBe('Additional attributes');
  expect(fieldValue(translate, 'section', 'recognition')).toBe('Recognition');
  expect(fieldValue(translate, 'enabledFeatures', ['age', 'mask'])).toBe('Age and Mask');
  expect(fieldValue(translate, 'enabledFeatures', [])).toBe('–');
  expect(fieldValue(translate, 'threshold', 75)).toBe('75');
  expect(fieldValue(translate, 'quality', 'high')).toBe('High (1080p)');
  expect(fieldValue(translate, 'quality', 'ultra')).toBe('Ultra (4K)');
  expect(fieldValue(translate, 'source', 'sightings')).toBe('Visits');
  expect(fieldValue(translate, 'level', 'debug')).toBe('Debug');
  expect(fieldLabel(translate, 'a_new_one')).toBe('a_new_one');
  expect(fieldValue(translate, 'section', 'constructor')).toBe('constructor');
  expect(fieldValue(translate, 'schedule', { mon: [] })).toBe('{"mon":[]}');
});

test.each(Object.entries(settingsSections))('LOG-019 the section %s has a title', (name) => {
  expect(fieldValue(translate, 'section', name)).not.toBe(name);
});
