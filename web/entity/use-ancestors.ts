import { skipToken, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { type Ancestor, isInCampaigns } from '#domain/breadcrumb.ts'
import { botOfAddress, entityAddress, sectionParent } from '#domain/place.ts'
import { http } from '#web/api/http.ts'
import type { Row } from './entity-query.ts'
import { ENTITY_PLACES } from './place.ts'

interface Thing {
  readonly entity: string
  readonly id: string
}

const useFields = (thing: Thing | undefined): Row | undefined =>
  useQuery({
    queryKey: [thing?.entity, 'detail', thing?.id],
    queryFn: thing === undefined ? skipToken : () => http.get('/{entity}/{id}', { params: { ...thing } }),
    retryOnMount: false,
  }).data

const parentOf = (entity: string, fields: Row | undefined): Thing | undefined => {
  const parent = ENTITY_PLACES.get(entity)?.parent
  const id = parent === undefined ? undefined : fields?.[parent]
  return parent === undefined || typeof id !== 'string' ? undefined : { entity: parent, id }
}

/** The thing of the address when its parent can only be read from itself. */
const readFor = (path: string, search: string): { readonly own?: Thing; readonly parent?: Thing } => {
  const at = entityAddress(ENTITY_PLACES, path, search)
  if (at === undefined) {
    const bot = botOfAddress(ENTITY_PLACES, path, search)
    return bot === undefined ? {} : { parent: { entity: 'bot', id: bot } }
  }
  const { entity, id, within, section } = at
  const isOwnPage = section === true && within?.entity === entity.name
  if (within !== undefined && (isOwnPage || within.entity === (sectionParent(entity) ?? entity.parent)))
    return { parent: within }
  return entity.parent === undefined || id === undefined ? {} : { own: { entity: entity.name, id } }
}

const named = (thing: Thing | undefined, fields: Row | undefined): readonly Ancestor[] => {
  if (thing === undefined) return []
  const name = fields?.[ENTITY_PLACES.get(thing.entity)?.title ?? 'name']
  return [{ ...thing, name: typeof name === 'string' ? name : undefined }]
}

/** Ancestors of the current address, from the root to the parent. Entities nest three levels deep at most. */
export const useAncestors = (): readonly Ancestor[] => {
  const { pathname, search } = useLocation()
  const { own, parent } = readFor(pathname, search)
  const ownFields = useFields(own)
  const first = parent ?? (own && parentOf(own.entity, ownFields))
  const firstFields = useFields(first)
  const second = first && parentOf(first.entity, firstFields)
  const secondFields = useFields(second)
  const third = second && parentOf(second.entity, secondFields)
  const thirdFields = useFields(third)
  return [...named(third, thirdFields), ...named(second, secondFields), ...named(first, firstFields)]
}

/** The bot that the current page belongs to: of its address, else of what the address names. */
export const useBotOfPage = (): string | undefined => {
  const { pathname, search } = useLocation()
  const ancestors = useAncestors()
  const named = botOfAddress(ENTITY_PLACES, pathname, search)
  if (named !== undefined || isInCampaigns(ENTITY_PLACES, pathname, search)) return named
  return ancestors.find(({ entity }) => entity === 'bot')?.id
}
