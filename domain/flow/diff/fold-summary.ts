import type { BlockChange, BlockMention, FlowSummary, LinkMention } from '#schemas/flow/summary.ts'

interface Sides<Mention, Change extends Mention> {
  readonly added: readonly Mention[]
  readonly changed: readonly Change[]
  readonly removed: readonly Mention[]
}

/**
 * Net change of each thing, in order of time: added and then removed is nothing, removed and then added is a change.
 */
class Fates<Mention extends { readonly id: string }, Change extends Mention> {
  readonly #added = new Map<string, Mention>()
  readonly #changed = new Map<string, Change>()
  readonly #removed = new Map<string, Mention>()
  readonly #change: (before: Change | undefined, now: Mention | Change) => Change

  constructor(change: (before: Change | undefined, now: Mention | Change) => Change) {
    this.#change = change
  }

  add({ added, changed, removed }: Sides<Mention, Change>): void {
    for (const item of removed) this.#remove(item)
    for (const item of added) this.#appear(item)
    for (const item of changed) this.#become(item)
  }

  get sides(): Sides<Mention, Change> {
    return {
      added: [...this.#added.values()],
      changed: [...this.#changed.values()],
      removed: [...this.#removed.values()],
    }
  }

  #remove(item: Mention): void {
    this.#changed.delete(item.id)
    if (!this.#added.delete(item.id)) this.#removed.set(item.id, item)
  }

  #appear(item: Mention): void {
    if (this.#removed.delete(item.id) || this.#changed.has(item.id)) {
      this.#changed.set(item.id, this.#change(this.#changed.get(item.id), item))
    } else this.#added.set(item.id, item)
  }

  #become(item: Change): void {
    if (this.#added.has(item.id)) this.#added.set(item.id, item)
    else {
      this.#removed.delete(item.id)
      this.#changed.set(item.id, this.#change(this.#changed.get(item.id), item))
    }
  }
}

const named = ({ id, type, title }: BlockMention): BlockMention => ({ id, type, title })

const changedBlock = (before: BlockChange | undefined, now: BlockMention | BlockChange): BlockChange => {
  const fields = 'fields' in now ? now.fields : []
  if (before === undefined) return { ...named(now), fields: [...new Set(fields)].sort() }
  const known = fields.every(field => before.fields.includes(field))
  return { ...named(now), fields: known ? before.fields : [...new Set([...before.fields, ...fields])].sort() }
}

/**
 * Joins the summaries of edits, oldest first. Continuing from the joined summary equals continuing from all of its
 * parts.
 */
export class SummaryFold {
  readonly #blocks = new Fates<BlockMention, BlockChange>(changedBlock)
  readonly #links = new Fates<LinkMention, LinkMention>((_, now) => now)
  #script = false

  add({ added, changed, removed, links, script }: FlowSummary): this {
    this.#blocks.add({ added, changed, removed })
    this.#links.add(links)
    this.#script ||= script
    return this
  }

  get summary(): FlowSummary {
    const { added, changed, removed } = this.#blocks.sides
    return {
      added: added.map(named),
      changed,
      removed: removed.map(named),
      links: this.#links.sides,
      script: this.#script,
    }
  }
}

/** One summary of several edits, oldest first. */
export const foldSummaries = (summaries: readonly FlowSummary[]): FlowSummary => {
  const fold = new SummaryFold()
  for (const summary of summaries) fold.add(summary)
  return fold.summary
}
