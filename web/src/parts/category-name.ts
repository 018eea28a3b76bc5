/** The categories that every system has are called in the reader's language, those that users add as they wrote them. */
import { useTranslation } from '#lib/i18n.ts';

const named = {
  employee: 'category.named.employee',
  visitor: 'category.named.visitor',
  vip: 'category.named.vip',
} as const;

export function useCategoryName(): (name: string) => string {
  const { t } = useTranslation();
  return (name) => (Object.hasOwn(named, name) ? t(named[name as keyof typeof named]) : name);
}
