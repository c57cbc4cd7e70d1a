import { setTimeout as pause } from 'node:timers/promises'
import type { EventStore } from '#commands/store/port.ts'
import type { EffectAnswer, EffectOf } from '#domain/conversation/effect.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { randomOf } from '#test/realtime/random.ts'
import type { World } from '../conversation/world.ts'

/** Longer than a call takes, in ms. */
const CALL_MS = 4

/** Counts orders by POST, by idempotency key and by conversation and number. Test code only. */
export class CountingShop {
  readonly byKey = new Map<string, number>()
  readonly byNumber = new Map<string, number>()

  take({ key, properties, context }: EffectOf<'rest'>): void {
    if (properties.methodType !== 'post') return
    const { id } = context.conversation as { readonly id: string }
    const count = (counts: Map<string, number>, of: string) => counts.set(of, (counts.get(of) ?? 0) + 1)
    count(this.byKey, key)
    count(this.byNumber, `${id} ${context.n}`)
  }

  /** Orders placed more than once. */
  twice(): readonly unknown[] {
    return [...this.byKey, ...this.byNumber].filter(([, orders]) => orders > 1)
  }
}

export interface MortalNode {
  /** Undefined: it came to its last point while it opened. */
  readonly node: OpenedConversations | undefined
  /** When it came to its last point. */
  readonly death: Promise<void>
  readonly isDead: () => boolean
  /** Ends its pending work. */
  bury(): Promise<void>
}

/**
 * A node that dies at a given point: right before or right after an append or a call. Requests in flight to the store
 * or the shop at that moment arrive there; nothing else does.
 */
export const openMortalNode = async (
  world: World,
  shop: CountingShop,
  last: number,
  seed: number,
): Promise<MortalNode> => {
  const random = randomOf(seed)
  let points = 0
  const death = Promise.withResolvers<void>()
  const burial = Promise.withResolvers<never>()
  burial.promise.catch(() => undefined)
  const pass = async (): Promise<void> => {
    points += 1
    if (points < last) return
    death.resolve()
    await burial.promise
  }
  const append: EventStore['append'] = async (stream, expected, events) => {
    await pass()
    const appended = await world.store.append(stream, expected, events)
    await pass()
    return appended
  }
  const store = new Proxy(world.store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return name === 'append' ? append : typeof value === 'function' ? value.bind(target) : value
    },
  })
  const rest = async (effect: EffectOf<'rest'>): Promise<EffectAnswer> => {
    await pass()
    shop.take(effect)
    await pause(random(CALL_MS))
    await pass()
    return { kind: 'rest', ms: 1, ok: true, status: 200, body: { code: 'A1' } }
  }
  const opening = world.node({ dies: true, store, rest })
  const node = await Promise.race([opening, death.promise.then(() => undefined)])
  return {
    node,
    death: death.promise,
    isDead: () => points >= last,
    async bury() {
      death.resolve()
      points = last
      burial.reject(new Error('the node is dead'))
      const opened = await opening.catch(() => undefined)
      await opened?.close()
    },
  }
}
