import { useTranslation } from 'react-i18next'
import type { RunningBots, RunningSource } from '#schemas/api/home.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'

/** Selects the sentence about running bots (D-8.04); undefined if no bot runs. */
export const runningBotsOutcome = ({ running, updated, heard }: RunningBots): 'all' | 'some' | 'none' | undefined => {
  if (running === 0) return undefined
  if (updated === 0) return 'none'
  return updated === running && heard ? 'all' : 'some'
}

const TONES = { all: 'positive', some: 'warning', none: 'danger' } as const

/** The outcome; none where nobody answers, and nothing where the person may not know. */
const outcomeOf = async (entity: RunningSource, id: string) => {
  try {
    const params = { id }
    if (entity === 'nlusettings') return runningBotsOutcome(await http.get('/nlusettings/{id}/running', { params }))
    if (entity === 'agentchannel') return runningBotsOutcome(await http.get('/agentchannel/{id}/running', { params }))
    if (entity === 'brain') return runningBotsOutcome(await http.get('/brain/{id}/running', { params }))
    return runningBotsOutcome(await http.get('/nluproject/{id}/running', { params }))
  } catch (error) {
    return isProblem(error) && error.status >= 400 && error.status < 500 ? undefined : 'none'
  }
}

/** Says after a write, under what was said of it, whether running bots follow (D-8.02, D-8.04); within five seconds. */
export const useRunningBotsNotice = () => {
  const { t } = useTranslation('shell')
  return async (text: string, entity: RunningSource, id: string): Promise<void> => {
    const outcome = await outcomeOf(entity, id)
    if (outcome === undefined) return
    // An agent channel is of one bot: it follows or it does not.
    const key =
      entity === 'agentchannel' ? `runningagent.${outcome === 'all' ? 'all' : 'none'}` : `runningbots.${outcome}`
    notice.toast(text, { tone: TONES[outcome], detail: t(key) })
  }
}
