/** What of this screen stands in the address. */
export interface PrivacySearch {
  readonly page?: number;
}

export function privacySearch(search: Record<string, unknown>): PrivacySearch {
  const page = Number(search['page']);
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? { page } : {};
}
