import { useLocation } from 'react-router'
import { entityAddress, listAddress, parentQuery, sectionAddress } from '#domain/place.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { isSingle, singleId } from '#schemas/single.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'

export interface ListPlace {
  readonly entity: EntityDeclaration
  /** The thing that the address names: of a single one without an id in the address, its own. */
  readonly id: string | undefined
  /** Limits the list to the parent in the address. */
  readonly fixed: Readonly<Record<string, string>>
  /** The thing whose tab the list is. */
  readonly tabOf?: { readonly entity: string; readonly id: string }
  /** Address of the list. */
  readonly listAt: string
  /** Address for a new row. */
  readonly newAt: string
  formAt(id: string): string
}

const withBotColumn = new Map<string, EntityDeclaration>()

/** The declaration with a column of the bot: for lists of all bots. */
const acrossBots = (entity: EntityDeclaration): EntityDeclaration => {
  const known = withBotColumn.get(entity.name)
  if (known !== undefined) return known
  const [lead, ...others] = entity.list.columns.filter(({ field }) => field !== 'bot')
  const columns = [...(lead === undefined ? [] : [lead]), { field: 'bot', as: 'reference' as const }, ...others]
  const made = { ...entity, list: { ...entity.list, columns } }
  withBotColumn.set(entity.name, made)
  return made
}

/** The entity that an address lists or shows in a form, its parent, and related addresses. */
export const useListPlace = (): ListPlace | undefined => {
  const { pathname, search } = useLocation()
  const address = entityAddress(ENTITY_PLACES, pathname, search)
  if (address === undefined || address.entity.place.hidden || !isEntityName(address.entity.name)) return undefined
  const { entity: placed, within, section } = address
  const declared = entityOf(address.entity.name)
  const isAcrossBots = placed.place.bot !== undefined && within === undefined && 'bot' in declared.fields
  const entity = isAcrossBots ? acrossBots(declared) : declared
  const fixed = within !== undefined && within.entity in entity.fields ? { [within.entity]: within.id } : {}
  const listAt = (within && sectionAddress(placed, within.id)) ?? listAddress(placed)
  // A settings section of a bot has its forms below it.
  const base = section && pathname.startsWith('/bot/settings/') ? listAt : `/${entity.name}`
  const query = base === listAt || within === undefined ? '' : parentQuery(within)
  return {
    entity,
    id: address.id ?? (isSingle(entity) ? singleId(entity.name, within?.id ?? null) : undefined),
    fixed,
    ...(section && within !== undefined && placed.tab !== undefined ? { tabOf: within } : {}),
    listAt,
    newAt: `${base}/new${query}`,
    formAt: id => `${base}/${id}${query}`,
  }
}
