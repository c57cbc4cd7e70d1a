import type { Hint } from '#realtime/cluster/hint.ts'

type ServicesHint = Extract<Hint, { readonly kind: 'services' }>

/** Report of a node on a part of a bot. */
export interface NodeService {
  /** Name of the node. */
  readonly node: string
  readonly version: string
  readonly systemid: string
  readonly status: string
  /** ms since 1970 from which this report is unchanged. */
  readonly since: number
}

interface NodeReport {
  readonly name: string
  readonly version: string
  readonly at: number
  readonly services: readonly NodeService[]
}

/** A node without a report for this long no longer runs its services: two and a half missed beats. */
const SILENT_MS = 25_000

/** Reports of other nodes on bots, in memory (RUNTIME 94). */
export class RemoteServiceReports {
  readonly #now: () => number
  /** By node, then by bot. */
  readonly #heard = new Map<string, Map<string, NodeReport>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the bots whose known state changed. */
  hear(sender: string, { node, version, bots }: ServicesHint): readonly string[] {
    const known = this.#heard.get(sender) ?? new Map<string, NodeReport>()
    this.#heard.set(sender, known)
    const at = this.#now()
    return bots.flatMap(({ bot, services }) => {
      const before = known.get(bot)?.services ?? []
      const now = services.map(({ systemid, status }): NodeService => {
        const same = before.find(one => one.systemid === systemid && one.status === status)
        return { node, version, systemid, status, since: same?.since ?? at }
      })
      known.set(bot, { name: node, version, at, services: now })
      const isSame = now.length === before.length && now.every(one => before.some(({ since }) => since === one.since))
      return isSame ? [] : [bot]
    })
  }

  /** Forgets a node that has said goodbye. Returns its bots. */
  leave(sender: string): readonly string[] {
    const bots = [...(this.#heard.get(sender)?.keys() ?? [])]
    this.#heard.delete(sender)
    return bots
  }

  /** Forgets reports that were not repeated. Returns the bots concerned. */
  forgetSilent(): readonly string[] {
    const oldest = this.#now() - SILENT_MS
    const silent: string[] = []
    for (const bots of this.#heard.values())
      for (const [bot, { at }] of bots)
        if (at < oldest) {
          bots.delete(bot)
          silent.push(bot)
        }
    return silent
  }

  /** Ids of the nodes that run a bot, as used in their hints. */
  nodesWith(bot: string): readonly string[] {
    return [...this.#heard].flatMap(([sender, bots]) => ((bots.get(bot)?.services.length ?? 0) > 0 ? [sender] : []))
  }

  of(bot: string): readonly NodeService[] {
    return [...this.#heard.values()].flatMap(bots => bots.get(bot)?.services ?? [])
  }
}
