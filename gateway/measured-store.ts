import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Metrics } from './metrics.ts'

/** The same store with counted and timed appends; `observe` receives the outcome of each. */
export const measuredStore = (
  store: EventStore,
  { appends, appendSeconds }: Metrics,
  observe: (error?: unknown) => void = () => undefined,
): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'append') return member.bind(target)
      const append: EventStore['append'] = async (...given) => {
        const began = performance.now()
        try {
          const appended = await target.append(...given)
          appends.inc({ outcome: 'written' })
          observe()
          return appended
        } catch (error) {
          observe(error)
          appends.inc({ outcome: error instanceof WrongRevision ? 'conflict' : 'failed' })
          throw error
        } finally {
          appendSeconds.observe((performance.now() - began) / 1000)
        }
      }
      return append
    },
  })
