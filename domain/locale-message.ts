import { foldName } from '#schemas/fold-text.ts'

/** One stored message that a bot, or a level, may use. */
interface MessageEntry {
  readonly locale: string
  readonly namespace: string | null
  readonly code: string
  readonly enabled: boolean
  /** 0: of the bot or level itself; above that, the nearest level counts first. */
  readonly distance: number
}

export interface MessageCell<E extends MessageEntry> {
  /** Of the bot or level itself, even while it is off. */
  readonly own?: E
  /** Fallback without an own message: the nearest enabled one of the levels above. */
  readonly inherited?: E
}

interface MessageRow<E extends MessageEntry> {
  readonly namespace: string | null
  readonly code: string
  /** By locale. */
  readonly cells: ReadonlyMap<string, MessageCell<E>>
}

const keyOf = ({ namespace, code }: Pick<MessageEntry, 'namespace' | 'code'>): string =>
  JSON.stringify([foldName(namespace ?? ''), foldName(code)])

/** The message that is used: the own one unless it is off, else the inherited one. */
export const resolvedMessage = <E extends MessageEntry>(cell: MessageCell<E> | undefined): E | undefined =>
  cell?.own?.enabled === true ? cell.own : cell?.inherited

const cellWith = <E extends MessageEntry>(cell: MessageCell<E>, entry: E): MessageCell<E> => {
  if (entry.distance === 0) return { ...cell, own: entry }
  const isNearer = cell.inherited === undefined || entry.distance < cell.inherited.distance
  return entry.enabled && isNearer ? { ...cell, inherited: entry } : cell
}

/**
 * Messages by namespace and code, compared as their uniqueness is, in that order. A code is there when the bot or level has
 * it itself, or inherits an enabled message of it.
 */
export const messageRows = <E extends MessageEntry>(entries: readonly E[]): readonly MessageRow<E>[] => {
  const groups = new Map<string, { nearest: E; cells: Map<string, MessageCell<E>> }>()
  for (const entry of entries) {
    if (entry.distance > 0 && !entry.enabled) continue
    const key = keyOf(entry)
    const group = groups.get(key) ?? { nearest: entry, cells: new Map() }
    if (entry.distance < group.nearest.distance) group.nearest = entry
    group.cells.set(entry.locale, cellWith(group.cells.get(entry.locale) ?? {}, entry))
    groups.set(key, group)
  }
  return [...groups.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { nearest, cells }]) => ({ namespace: nearest.namespace, code: nearest.code, cells }))
}

export const missingLocales = <E extends MessageEntry>(row: MessageRow<E>, locales: readonly string[]) =>
  locales.filter(locale => resolvedMessage(row.cells.get(locale)) === undefined)
