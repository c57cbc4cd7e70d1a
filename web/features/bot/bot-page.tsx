import { Button } from '@chakra-ui/react'
import { ListTree } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { bot } from '#schemas/entities/bot.ts'
import { useSession } from '#web/api/session.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { StatusChip } from '#web/entity/list/cell.tsx'

/** A bot: its settings, its status and what can be done with it. */
export const BotPage = () => {
  const { t } = useTranslation('shell')
  const { id = '' } = useParams()
  const { can } = useSession()
  const navigate = useNavigate()
  return (
    <EntityDetail
      key={id}
      entity={bot}
      id={id}
      listAt="/bot/search"
      hidden={HIDDEN}
      beside={row => <StatusChip entity="bot" field="runningstatus" value={row.runningstatus ?? null} />}
      actions={() =>
        can('readdialogtask') ? (
          <Button variant="solid" onClick={() => void navigate(`/bot/dialogtask/${id}`)}>
            <ListTree size={15} aria-hidden="true" />
            {t('opentasks')}
          </Button>
        ) : null
      }
    />
  )
}

const HIDDEN: ReadonlySet<string> = new Set(['runningstatus'])
