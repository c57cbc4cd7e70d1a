import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { ErrorMessage, PageLoadError } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useLevelOf } from '#web/shell/level.ts'
import { QueueList } from './queue-list.tsx'

const Shown = ({ channel }: { readonly channel: Row }) => {
  const { t } = useTranslation('entity/agentchannel')
  useLevelOf('agentchannel', channel)
  return (
    <Page title={String(channel.name)} name={t('page.queue')}>
      <ParentTabs entity="agentchannel" id={channel.id} active="queue" />
      <QueueList channel={channel.id} />
    </Page>
  )
}

/** /agentchannel/queue/{id} */
export const QueuePage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const query = useQuery(detailQuery('agentchannel', id))
  const ready = useEntityTextsReady(['agentchannel'])
  if (!can('readagentchannel')) return <ErrorMessage code="403" />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Shown key={id} channel={query.data} />
}
