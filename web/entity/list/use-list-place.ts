import { useLocation, useParams } from 'react-router'
import { type EntityName, entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'

export interface ListPlace {
  readonly entity: EntityDeclaration
  /** Narrows the list to what lies in the bot of the address. */
  readonly fixed: Readonly<Record<string, string>>
  /** Where something new is made. */
  readonly newAt: string
  formAt(id: string): string
}

/** Which entity an address lists, and what its forms' addresses are. */
export const useListPlace = (): ListPlace | undefined => {
  const { pathname } = useLocation()
  const { section, bot } = useParams()
  const name = section ?? pathname.split('/')[1] ?? ''
  if (!isEntityName(name)) return undefined
  const entity = entityOf(name as EntityName)
  if (section !== undefined && bot !== undefined) {
    const base = `/bot/settings/${section}/${bot}`
    const fixed: Record<string, string> = 'bot' in entity.fields ? { bot } : {}
    return { entity, fixed, newAt: `${base}/new`, formAt: id => `${base}/${id}` }
  }
  return { entity, fixed: {}, newAt: `/${name}/new`, formAt: id => `/${name}/${id}` }
}
