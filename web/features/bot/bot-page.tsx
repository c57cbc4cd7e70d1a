import { Button } from '@chakra-ui/react'
import { usePrefetchQuery } from '@tanstack/react-query'
import { ListTree } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { bot } from '#schemas/entities/bot.ts'
import { useSession } from '#web/api/session.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { TransferButton } from '#web/entity/form/transfer-dialog.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { StatusChip } from '#web/entity/list/cell.tsx'
import { BotOverview } from './overview/bot-overview.tsx'
import { overviewQuery } from './overview/overview-query.ts'
import { OverviewSkeleton } from './overview/overview-skeleton.tsx'

/** Texts of the overview, loaded together: each that is missed while it renders begins it again. */
const TEXTS = ['shell', 'overview', 'operation', 'tool']
const NAMED = ['bot', 'botservice']

/** A bot: its settings, its status and what can be done with it. */
export const BotPage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const navigate = useNavigate()
  usePrefetchQuery(detailQuery('bot', id))
  usePrefetchQuery(overviewQuery(id))
  const { t } = useTranslation(TEXTS)
  useEntityTexts(NAMED)
  return (
    <EntityDetail
      key={id}
      entity={bot}
      id={id}
      listAt="/bot/search"
      above={row => (
        <Suspense fallback={<OverviewSkeleton />}>
          <BotOverview
            bot={id}
            hasDefaultTask={row.defaultdialogtask !== null}
            isStarted={row.runningstatus !== 'stopped'}
          />
        </Suspense>
      )}
      hidden={HIDDEN}
      beside={row => <StatusChip entity="bot" field="runningstatus" value={row.runningstatus ?? null} />}
      actions={row => (
        <>
          {can('transferbot') && typeof row.hierarchylevel === 'string' ? (
            <TransferButton entity="bot" id={id} name={String(row.name ?? '')} level={row.hierarchylevel} />
          ) : null}
          {can('readdialogtask') ? (
            <Button variant="solid" onClick={() => void navigate(`/bot/dialogtask/${id}`)}>
              <ListTree size={15} aria-hidden="true" />
              {t('opentasks')}
            </Button>
          ) : null}
        </>
      )}
    />
  )
}

const HIDDEN: ReadonlySet<string> = new Set(['runningstatus'])
