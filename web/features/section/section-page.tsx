import { useLocation } from 'react-router'
import { entityAddress } from '#domain/place.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { EntityFormPage } from '#web/features/form/entity-form-page.tsx'
import { EntityListPage } from '#web/features/list/entity-list-page.tsx'

/** /{parent}/{entity}/{parent's id}: a list within a parent. /{entity}/{section}/{id}: one section of a form. */
export const SectionPage = () => {
  const { pathname, search } = useLocation()
  const isForm = entityAddress(ENTITY_PLACES, pathname, search)?.section === undefined
  return isForm ? <EntityFormPage /> : <EntityListPage />
}
