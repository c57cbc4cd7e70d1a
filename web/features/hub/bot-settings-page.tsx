import { PLACES } from 'virtual:place'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { botSettings } from '#domain/menu.ts'
import { listAddress, sectionAddress } from '#domain/place.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { BOT_QUERY } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { ErrorMessage, PageLoadError } from '#web/page/error-page.tsx'
import { CardsPage } from './hub-page.tsx'

/** /bot/settings/{id}: the sections of a bot. /bot/settings/{section}: that section of the bot that `pid` names. */
export const BotSettingsPage = () => {
  const { word } = useParams()
  const [search] = useSearchParams()
  const pid = search.get(BOT_QUERY)
  if (word === undefined) return <Navigate replace to={pid === null ? '/bot/search' : `/bot/settings/${pid}`} />
  if (word === 'botlogs') return <Navigate replace to={pid === null ? '/bot/search' : `/bot/settings/botlogs/${pid}`} />
  const section = ENTITY_PLACES.get(word)
  if (section === undefined) return <Sections bot={word} />
  if (section.place.bot?.group !== 'settings') return <ErrorMessage code="404" />
  return <Navigate replace to={(pid === null ? undefined : sectionAddress(section, pid)) ?? listAddress(section)} />
}

const Sections = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const { data, error, refetch } = useQuery(detailQuery('bot', bot))
  if (error) return <PageLoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton />
  return (
    <CardsPage
      title={t('menu.group.botsettings')}
      purpose={String(data.name)}
      entries={botSettings(PLACES, bot, can)}
      within={{ bot }}
    />
  )
}
