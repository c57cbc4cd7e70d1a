import { expect } from 'vitest'
import * as Y from 'yjs'
import { mapAt, nodesOf } from '#domain/flow/document/document.ts'

/** A block as one replica shows it; brought back after its removal it is another one with the same id. */
interface Shown {
  readonly being: string
  readonly title: string
  readonly place: string
}

export type View = ReadonlyMap<string, Shown>

export const viewOf = (doc: Y.Doc): View => {
  const nodes = nodesOf(doc)
  return new Map(
    [...nodes.keys()].map(id => {
      const node = mapAt(nodes, id)
      const { client, clock } = (node as Y.Map<unknown> | undefined)?._item?.id ?? Y.createID(0, 0)
      const place = JSON.stringify(node?.get('pos'))
      return [id, { being: `${client}.${clock}`, title: String(node?.get('title')), place }]
    }),
  )
}

interface Being {
  readonly titles: Set<string>
  readonly places: Set<string>
  isRemoved: boolean
}

/**
 * States of a flow that the accepted intents allow. An intent is a change in its author's replica. A block exists as
 * one author made it, unless it was removed; after concurrent creation either may remain. Its title and place are
 * values set since the last agreement, or the agreed ones.
 */
export class IntentModel {
  readonly #blocks = new Map<string, Map<string, Being>>()
  intents = 0

  record(before: View, after: View): void {
    for (const [id, shown] of after) {
      const was = before.get(id)
      if (was?.being === shown.being && was.title === shown.title && was.place === shown.place) continue
      this.intents += 1
      if (was !== undefined && was.being !== shown.being) this.#being(id, was).isRemoved = true
      const being = this.#being(id, shown)
      being.titles.add(shown.title)
      being.places.add(shown.place)
    }
    for (const [id, was] of before) {
      if (after.has(id)) continue
      this.intents += 1
      this.#being(id, was).isRemoved = true
    }
  }

  /** Compares, and takes what was agreed on as the new ground. Everyone must have sent what they had. */
  agree(doc: Y.Doc): void {
    const view = viewOf(doc)
    for (const [id, shown] of view) {
      const being = this.#blocks.get(id)?.get(shown.being)
      expect(being, `${id} was made by nobody`).toBeDefined()
      expect(being?.isRemoved, `${id} was removed`).toBe(false)
      expect(being?.titles).toContain(shown.title)
      expect(being?.places).toContain(shown.place)
    }
    for (const [id, beings] of this.#blocks) {
      if (view.has(id)) continue
      const alive = [...beings.values()].filter(({ isRemoved }) => !isRemoved)
      // Of two that were made at once one has taken the place of the other, and may have been removed.
      if (alive.length > 0) expect(beings.size, `${id} is gone and nobody removed it`).toBeGreaterThan(1)
    }
    this.#blocks.clear()
    for (const [id, shown] of view) this.#being(id, shown)
  }

  #being(id: string, { being, title, place }: Shown): Being {
    const beings = this.#blocks.get(id) ?? new Map<string, Being>()
    this.#blocks.set(id, beings)
    const known = beings.get(being) ?? { titles: new Set([title]), places: new Set([place]), isRemoved: false }
    beings.set(being, known)
    return known
  }
}
