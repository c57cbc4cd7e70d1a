import { verifyLog } from '#commands/integrity/verify-log.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { StoredEvent } from '#schemas/event.ts'

/** Contents of a log, read without writers. */
export interface LogFound {
  readonly events: number
  /** Chains and seals that do not hold. */
  readonly amiss: number
  /** Number of bot events per description. */
  readonly descriptions: ReadonlyMap<string, number>
}

export const readLog = async (folder: string): Promise<LogFound> => {
  const store = await openEmbeddedStore({ folder })
  try {
    const { amiss } = await verifyLog(store)
    const descriptions = new Map<string, number>()
    let events = 0
    for await (const event of store.readAll()) {
      events += 1
      const text = descriptionOf(event)
      if (text !== undefined) descriptions.set(text, (descriptions.get(text) ?? 0) + 1)
    }
    return { events, amiss, descriptions }
  } finally {
    await store.close()
  }
}

const descriptionOf = ({ stream, data }: StoredEvent): string | undefined => {
  const fields = data.fields as { readonly description?: unknown } | undefined
  const isBots = stream.startsWith('bot-') && typeof fields?.description === 'string' && fields.description !== ''
  return isBots ? String(fields.description) : undefined
}
