import { Button } from '@chakra-ui/react'
import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { parentField } from '#schemas/entity.ts'
import { addressOf } from '#web/entity/address.ts'
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
  const [search] = useSearchParams()
  const navigate = useNavigate()
  if (place === undefined) return <ErrorMessage code="404" />
  const { entity } = place
  const listAt = section === undefined ? `/${entity.name}/search` : `/bot/settings/${section}/${bot}`
  if (id === 'new') {
    // The address of a bot's things names the bot.
    const pid = search.get('pid')
    const fixed = section === undefined && pid !== null && parentField(entity) === 'bot' ? { bot: pid } : place.fixed
    const formAt = (made: string) =>
      (section === undefined ? addressOf(entity.name, made) : undefined) ?? place.formAt(made)
    return <EntityCreate key={pathname} entity={entity} fixed={fixed} listAt={listAt} formAt={formAt} />
  }
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
