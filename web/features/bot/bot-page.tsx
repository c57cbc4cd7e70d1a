import { Button } from '@chakra-ui/react'
import { ListTree, Play, RotateCcw, Square, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { bot } from '#schemas/entities/bot.ts'
import { useSession } from '#web/api/session.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useLabel } from '#web/entity/label.ts'
import { StatusChip } from '#web/features/list/cell.tsx'

const ICONS = { start: Play, stop: Square, restart: RotateCcw, fix: Wrench }
type Action = keyof typeof ICONS

/** What its status allows. */
const possible = (row: Row): readonly Action[] => {
  switch (row.runningstatus) {
    case 'stopped':
      return ['start']
    case 'pending':
      return ['fix', 'stop']
    default:
      return ['restart', 'stop', 'fix']
  }
}

/** A bot: its settings, its status and what can be done with it. */
export const BotPage = () => {
  const { t } = useTranslation('shell')
  const { id = '' } = useParams()
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const command = useEntityCommand(bot)
  const allowed = (row: Row) => possible(row).filter(action => can(`${action}bot`))
  return (
    <EntityDetail
      key={id}
      entity={bot}
      id={id}
      listAt="/bot/search"
      hidden={HIDDEN}
      beside={row => <StatusChip entity="bot" field="runningstatus" value={row.runningstatus ?? null} />}
      actions={row => {
        const first = allowed(row)[0]
        const Glyph = first === undefined ? undefined : ICONS[first]
        return (
          <>
            {first !== undefined && Glyph !== undefined ? (
              <Button onClick={() => void command.act(row, first)}>
                <Glyph size={15} aria-hidden="true" />
                {label.action('bot', first)}
              </Button>
            ) : null}
            {can('readdialogtask') ? (
              <Button variant="solid" onClick={() => void navigate(`/bot/dialogtask/${id}`)}>
                <ListTree size={15} aria-hidden="true" />
                {t('opentasks')}
              </Button>
            ) : null}
          </>
        )
      }}
      menu={row =>
        allowed(row)
          .slice(1)
          .map(action => ({
            id: action,
            icon: ICONS[action],
            label: label.action('bot', action),
            run: () => void command.act(row, action),
          }))
      }
    />
  )
}

const HIDDEN: ReadonlySet<string> = new Set(['runningstatus'])
