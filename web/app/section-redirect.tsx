import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import { type Entities, listAddress, sectionAddress, sectionParent } from '#domain/place.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { Redirect } from '#web/page/redirect.tsx'

/** Target of `/{entity}/{word}` when the word is a section that misses its id; undefined when it is an id. */
const targetOf = (entities: Entities, path: string, search: string): string | undefined => {
  const [first = '', word = ''] = path.split('/').filter(part => part !== '')
  const entity = entities.get(first)
  if (entity?.sections?.includes(word) || entity?.pages?.some(({ key }) => key === word)) return listAddress(entity)
  const section = entities.get(word)
  if (section === undefined || sectionParent(section) !== first) return undefined
  const pid = new URLSearchParams(search).get('pid')
  return (pid === null ? undefined : sectionAddress(section, pid)) ?? listAddress(section)
}

/** The page of one thing, or the way to the list when its address names a section without an id. */
export const withSectionRedirect = (Page: ComponentType): ComponentType => {
  const Redirected = () => {
    const { pathname, search } = useLocation()
    const to = targetOf(ENTITY_PLACES, pathname, search)
    return to === undefined ? <Page /> : <Redirect to={to} />
  }
  return Redirected
}
