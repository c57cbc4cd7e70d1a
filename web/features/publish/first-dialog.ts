import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { bot as declaration } from '#schemas/entities/bot.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { flowAddress } from '#web/entity/address.ts'
import { notice } from '#web/notice/notice.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'

/** Languages of the store's messages. */
const BOT_LANGUAGES: readonly string[] = declaration.fields.defaultlocale.options

/** Fields of a new bot: its chat has the language of the console, in which it is made. */
export const spokenIn = (language: string) => ({
  language,
  ...(BOT_LANGUAGES.includes(language) ? { defaultlocale: language } : {}),
})

const RIGHTS = ['createdialogtask', 'createdialog', 'updatebot', 'updatedialogtask'] as const

const create = (entity: 'bot' | 'dialogtask' | 'dialog', body: Readonly<Record<string, string>>) =>
  http.post('/{entity}', { params: { entity }, body })

interface NewBot {
  readonly id: string
  readonly revision: number
}

/**
 * Makes a bot's first task and dialog, which become its default ones, and opens the dialog; with a name also the bot.
 * Undefined without the rights.
 */
export const useFirstDialog = () => {
  const { t, i18n } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const draw = async (bot: NewBot): Promise<string> => {
    const task = await create('dialogtask', { name: t('first.task'), bot: bot.id })
    const dialog = await create('dialog', { name: t('first.dialog'), dialogtask: task.id })
    const main = { params: { entity: 'dialogtask', id: task.id }, revision: task.revision } as const
    await http.patch('/{entity}/{id}', { ...main, body: { principaldialog: dialog.id } })
    const whole = { params: { entity: 'bot', id: bot.id }, revision: bot.revision } as const
    await http.patch('/{entity}/{id}', { ...whole, body: { defaultdialogtask: task.id } })
    return dialog.id
  }
  const open = async (made: Promise<string>) => {
    const dialog = await made.finally(() => client.invalidateQueries())
    await goOn(flowAddress('dialog', dialog))
  }
  const drawing = useMutation({
    mutationFn: (bot: NewBot) => open(draw(bot)),
    onError: error => notice.toast(failureOf(error, t('error.noanswer')), { tone: 'danger' }),
  })
  if (!RIGHTS.every(can)) return undefined
  return {
    /** The first dialog of a bot that has none; a failure is a notice. */
    draw: drawing.mutate,
    isDrawing: drawing.isPending,
    /** A new bot with its first dialog; undefined without the right to make bots. Rejects with the reason. */
    make: can('createbot')
      ? (name: string) => open(create('bot', { name, ...spokenIn(i18n.language) }).then(draw))
      : undefined,
  }
}
