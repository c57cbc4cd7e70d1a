import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { type Crumb, trailOf } from '#domain/breadcrumb.ts'
import { entityAddress } from '#domain/place.ts'
import { enterPage } from '#domain/trail.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { useAncestors } from './ancestors.ts'

interface Visit {
  /** Of the history entry. */
  readonly key: string
  readonly before: readonly Crumb[]
  readonly after: readonly Crumb[]
}

/** Kept in memory alone: after a reload the trail is rebuilt from the parents of the page. */
let visit: Visit = { key: '', before: [], after: [] }

/** The trail to the open page; `name`: of what is open. */
export const useTrail = (name: string | undefined): readonly Crumb[] => {
  const { key, pathname, search } = useLocation()
  const ancestors = useAncestors()
  const before = visit.key === key ? visit.before : visit.after
  const parents = trailOf(ENTITY_PLACES, pathname, search, { ancestors, ...(name === undefined ? {} : { name }) })
  const crumbs = parents.map((crumb, at) => (at === parents.length - 1 ? { ...crumb, to: pathname + search } : crumb))
  const isRoot = entityAddress(ENTITY_PLACES, pathname, search)?.id === undefined
  const after = enterPage(before, { crumbs, isRoot })
  useEffect(() => {
    visit = { key, before, after }
  })
  return after
}
