import { useSearchParams } from 'react-router'

type Change = Readonly<Partial<Record<'open' | 'only' | 'search' | 'dialog', string>>>

/** Which tests are listed and which one is open, in the address. */
export const useTestFilter = () => {
  const [search, setSearch] = useSearchParams()
  const withQuery = (change: Change): URLSearchParams => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    return next
  }
  return {
    open: search.get('open') ?? undefined,
    only: search.get('only') === 'failed' ? ('failed' as const) : undefined,
    search: search.get('search') ?? '',
    dialog: search.get('dialog') ?? '',
    put: (change: Change) => setSearch(withQuery(change), { replace: true }),
    addressOf: (id: string) => `?${withQuery({ open: id })}`,
  }
}
