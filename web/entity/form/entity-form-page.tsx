import { useMemo } from 'react'
import { useLocation } from 'react-router'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { addressOf } from '#web/entity/address.ts'
import { useListPlace } from '#web/entity/list/use-list-state.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { EntityCreate } from './entity-create.tsx'
import { EntityDetail } from './entity-detail.tsx'

/** With that section of its form alone whose address the path is. */
const useSectionOf = (entity: EntityDeclaration | undefined, path: string): EntityDeclaration | undefined =>
  useMemo(() => {
    const section = entity?.form.find(
      ({ address }) => address !== undefined && path.startsWith(`/${entity.name}/${address}/`),
    )
    return entity === undefined || section === undefined ? entity : { ...entity, form: [section] }
  }, [entity, path])

/** /{entity}/{id}, /{entity}/new, /{entity}/{section of its form}/{id}, and forms inside a bot's settings. */
export const EntityFormPage = () => {
  const { pathname } = useLocation()
  const place = useListPlace()
  const entity = useSectionOf(place?.entity, pathname)
  if (place === undefined || entity === undefined) return <ErrorMessage code="404" />
  const { fixed, id, listAt } = place
  if (id === undefined) {
    const inSettings = pathname.startsWith('/bot/settings/')
    const formAt = (made: string) =>
      (inSettings ? undefined : addressOf(entity.name, made, { bot: fixed.bot })) ?? place.formAt(made)
    return <EntityCreate key={pathname} entity={entity} fixed={fixed} listAt={listAt} formAt={formAt} />
  }
  return <EntityDetail key={id} entity={entity} id={id} listAt={listAt} hidden={new Set(Object.keys(fixed))} />
}
