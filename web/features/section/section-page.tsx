import { useLocation } from 'react-router'
import { entityAddress } from '#domain/place.ts'
import { EntityFormPage } from '#web/entity/form/entity-form-page.tsx'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { ENTITY_PLACES } from '#web/entity/place.ts'

/**
 * /{parent}/{entity}/{parent's id} and /bot/settings/{entity}/{bot}: a list within a parent, or the form of the one that
 * each parent has. /{entity}/{section}/{id}: one section of a form.
 */
export const SectionPage = () => {
  const { pathname, search } = useLocation()
  const address = entityAddress(ENTITY_PLACES, pathname, search)
  const isForm = address?.section === undefined || address.entity.single === true
  return isForm ? <EntityFormPage /> : <EntityListPage />
}
