import { Button } from '@chakra-ui/react'
import { CalendarCheck, CalendarPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { notice } from '#web/notice/notice.ts'

type BotRow = Pick<RowOf<'bot'>, 'id' | 'revision' | 'weeklyreport'>

/** Switches the report of each week on or off. */
export const WeeklyButton = ({ bot }: { readonly bot: BotRow }) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const command = useEntityCommand(botEntity)
  const { id, revision, weeklyreport } = bot
  if (!can('updatebot')) return null
  const change = async () => {
    try {
      await http.patch('/{entity}/{id}', {
        params: { entity: 'bot', id },
        body: { weeklyreport: !weeklyreport },
        revision,
      })
      await command.refresh()
      notice.snack(t(weeklyreport ? 'weekly.undone' : 'weekly.done'), { tone: 'positive' })
    } catch (error) {
      command.failed(error)
    }
  }
  const Icon = weeklyreport ? CalendarCheck : CalendarPlus
  return (
    <Button variant="outline" size="sm" aria-pressed={weeklyreport} onClick={() => void change()}>
      <Icon size={15} aria-hidden="true" />
      {t(weeklyreport ? 'weekly.off' : 'weekly.on')}
    </Button>
  )
}
