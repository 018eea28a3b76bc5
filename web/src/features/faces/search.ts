/** What the address of the Face Database says: which of its two lists, its filters and its page. */
export interface FacesSearch {
  /** NSH-010: the visits of people nobody enrolled; absent: the people. */
  view?: 'unknown';
  search?: string;
  category?: string;
  status?: 'active' | 'inactive';
  page?: number;
  /** The form for a new person is open. */
  add?: true;
}

/** From the query string as the router reads it: digits are numbers, `true` is a flag. */
export function facesSearch(given: Record<string, unknown>): FacesSearch {
  const { view, search, category, status, page, add } = given;
  const known: FacesSearch = {};
  if (view === 'unknown') known.view = view;
  if ((typeof search === 'string' && search !== '') || typeof search === 'number') {
    known.search = String(search);
  }
  if (typeof category === 'string' && category !== '') known.category = category;
  if (status === 'active' || status === 'inactive') known.status = status;
  if (typeof page === 'number' && Number.isInteger(page) && page > 1) known.page = page;
  if (add === true) known.add = true;
  return known;
}

export const isFiltered = ({ search, category, status }: FacesSearch): boolean =>
  search !== undefined || category !== undefined || status !== undefined;
