import type { Crumb } from './breadcrumb.ts'

/** Entries kept after Home. */
const MAX_ENTRIES = 12

/** A page as it enters the trail. */
interface TrailPage {
  /** From Home to the page by the parent rules; the last one is the page itself, with its address in `to`. */
  readonly crumbs: readonly Crumb[]
  /** Resets the trail to its own parents: a list, a hub, a page of the menu. Otherwise the page is one thing. */
  readonly isRoot: boolean
}

const pathOf = ({ to }: Crumb): string | undefined => to?.split('?')[0]

/** The form of something new: it closes once the thing is made or discarded. */
const isForm = (crumb: Crumb | undefined): boolean => crumb !== undefined && pathOf(crumb)?.endsWith('/new') === true

/**
 * The trail after a page is opened. It always begins with Home. Home resets it; a root entry resets it to its parents
 * and itself; an entry that is in it cuts what follows; an empty one is rebuilt from the parents. A thing that is opened
 * from a page outside of its parents (a dialog from the audit) is appended, so that the trail leads back there.
 */
export const enterPage = (visited: readonly Crumb[], { crumbs, isRoot }: TrailPage): readonly Crumb[] => {
  const page = crumbs.at(-1)
  const trail = isForm(visited.at(-1)) ? visited.slice(0, -1) : visited
  if (page === undefined || isRoot || trail.length < 2) return crumbs
  const present = trail.findIndex(crumb => pathOf(crumb) === pathOf(page))
  if (present > 0) return [...trail.slice(0, present), page]
  const shared = crumbs.findLastIndex((crumb, at) => at > 0 && trail.some(({ to }) => to === crumb.to))
  if (shared > 0) {
    const end = trail.findIndex(({ to }) => to === crumbs[shared]?.to)
    return [...trail.slice(0, end), ...crumbs.slice(shared)]
  }
  const [home, ...entries] = trail
  return [...(home === undefined ? [] : [home]), ...entries.slice(1 - MAX_ENTRIES), page]
}
