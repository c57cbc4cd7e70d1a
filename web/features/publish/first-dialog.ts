import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'

const RIGHTS = ['createdialogtask', 'createdialog', 'updatebot', 'updatedialogtask'] as const

const create = (entity: 'bot' | 'dialogtask' | 'dialog', body: Readonly<Record<string, string>>) =>
  http.post('/{entity}', { params: { entity }, body })

/**
 * Makes a bot's first task and dialog, which become its default ones, and returns the dialog's id; with a name also the
 * bot. Undefined without the rights.
 */
export const useFirstDialog = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  if (!RIGHTS.every(can)) return undefined
  const draw = async (bot: { readonly id: string; readonly revision: number }): Promise<string> => {
    const task = await create('dialogtask', { name: t('first.task'), bot: bot.id })
    const dialog = await create('dialog', { name: t('first.dialog'), dialogtask: task.id })
    const main = { params: { entity: 'dialogtask', id: task.id }, revision: task.revision } as const
    await http.patch('/{entity}/{id}', { ...main, body: { principaldialog: dialog.id } })
    const whole = { params: { entity: 'bot', id: bot.id }, revision: bot.revision } as const
    await http.patch('/{entity}/{id}', { ...whole, body: { defaultdialogtask: task.id } })
    return dialog.id
  }
  const after = async (made: Promise<string>) => {
    try {
      return await made
    } finally {
      await client.invalidateQueries()
    }
  }
  return {
    /** The first dialog of a bot that has none. */
    draw: (bot: { readonly id: string; readonly revision: number }) => after(draw(bot)),
    /** A new bot with its first dialog; undefined without the right to make bots. */
    make: can('createbot') ? (name: string) => after(create('bot', { name }).then(draw)) : undefined,
  }
}
