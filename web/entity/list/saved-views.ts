/** A state of a list under a name. `query` is its address without the page. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly query: string
}

export interface SavedViews {
  readonly views: readonly SavedView[]
  /** The view that a list opens with. */
  readonly defaultId: string | null
}

const NO_VIEWS: SavedViews = { views: [], defaultId: null }
export const MAX_VIEWS = 50
export const MAX_VIEW_NAME = 80

const isView = (value: unknown): value is SavedView => {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, query } = value as Record<string, unknown>
  return typeof id === 'string' && typeof name === 'string' && typeof query === 'string'
}

export const parseViews = (text: string | null): SavedViews => {
  try {
    const { views, defaultId } = JSON.parse(text ?? '{}') as Record<string, unknown>
    if (!Array.isArray(views)) return NO_VIEWS
    const valid = views.filter(isView).slice(0, MAX_VIEWS)
    return { views: valid, defaultId: valid.find(({ id }) => id === defaultId)?.id ?? null }
  } catch {
    return NO_VIEWS
  }
}

/** Under a name that exists, that view takes the new state. */
export const saveView = (saved: SavedViews, view: SavedView): SavedViews => {
  const same = saved.views.find(({ name }) => name === view.name)
  const views = same
    ? saved.views.map(one => (one === same ? { ...one, query: view.query } : one))
    : [...saved.views, view]
  return { ...saved, views }
}

export const renameView = (saved: SavedViews, id: string, name: string): SavedViews => ({
  ...saved,
  views: saved.views.map(view => (view.id === id ? { ...view, name } : view)),
})

export const removeView = (saved: SavedViews, id: string): SavedViews => ({
  views: saved.views.filter(view => view.id !== id),
  defaultId: saved.defaultId === id ? null : saved.defaultId,
})
