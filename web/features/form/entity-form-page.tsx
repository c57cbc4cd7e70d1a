import { Button } from '@chakra-ui/react'
import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useListPlace } from '#web/features/list/use-list-place.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { EntityCreate } from './entity-create.tsx'
import { EntityDetail } from './entity-detail.tsx'

/** /{entity}/{id}, /{entity}/new, and the same inside a bot's settings. */
export const EntityFormPage = () => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const { id = 'new', section, bot } = useParams()
  const place = useListPlace()
  const navigate = useNavigate()
  if (place === undefined) return <ErrorMessage code="404" />
  const { entity } = place
  const listAt = section === undefined ? `/${entity.name}/search` : `/bot/settings/${section}/${bot}`
  if (id === 'new')
    return <EntityCreate key={pathname} entity={entity} fixed={place.fixed} listAt={listAt} formAt={place.formAt} />
  return (
    <EntityDetail
      key={id}
      entity={entity}
      id={id}
      listAt={listAt}
      hidden={new Set(Object.keys(place.fixed))}
      {...(entity.name === 'role'
        ? {
            actions: () => (
              <Button variant="solid" onClick={() => void navigate(`/role/actionandservices/${id}`)}>
                <KeyRound size={15} aria-hidden="true" />
                {t('role.matrix')}
              </Button>
            ),
          }
        : {})}
    />
  )
}
