import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isStarted } from '../../release/releases.ts'

/** Signals that abort the work of a bot when it is stopped or removed. */
export const openStopSignals = (read: Pick<ReadModels, 'onApplied' | 'detail'>) => {
  const running = new Map<string, AbortController>()
  const check = async (id: string) => {
    const controller = running.get(id)
    if (controller === undefined || isStarted(await read.detail(SYSTEM_SCOPE, 'bot', id))) return
    running.delete(id)
    controller.abort()
  }
  const close = read.onApplied(({ touched }) => {
    for (const { entity, id } of touched) if (entity === 'bot') void check(id).catch(() => undefined)
  })
  return {
    of(bot: RowOf<'bot'>): AbortSignal {
      if (!isStarted(bot)) return AbortSignal.abort()
      const controller = running.get(bot.id) ?? new AbortController()
      running.set(bot.id, controller)
      return controller.signal
    },
    close,
  }
}
