export interface Named {
  readonly id: string
  readonly name: string
}

/** The parts of a bot that a conversation needs; undefined where this person may not read them. */
interface BotParts {
  readonly isStarted: boolean
  /** The default task; null for none. */
  readonly defaultTask: Named | null | undefined
  /** Main dialog of the task in question; null for none. */
  readonly main: (Named & { readonly isPublished: boolean }) | null | undefined
  /** The task in question: the default one, or where there is none the task of the published flow. */
  readonly task: Named | undefined
  readonly hasChannel: boolean | undefined
}

/** Steps a bot still needs before it can chat. */
export type MissingStep =
  | { readonly is: 'default' | 'channel' | 'start' }
  | { readonly is: 'main'; readonly task: Named }
  | { readonly is: 'unpublished'; readonly dialog: Named }

/** In the order in which they are done; undefined where a part may not be read. */
export const missingSteps = (parts: BotParts): readonly MissingStep[] | undefined => {
  const { isStarted, defaultTask, main, task, hasChannel } = parts
  if (defaultTask === undefined || hasChannel === undefined) return undefined
  if (task !== undefined && main === undefined) return undefined
  const missing: MissingStep[] = []
  if (defaultTask === null) missing.push({ is: 'default' })
  if (task !== undefined && main === null) missing.push({ is: 'main', task })
  if (main && !main.isPublished) missing.push({ is: 'unpublished', dialog: { id: main.id, name: main.name } })
  if (!hasChannel) missing.push({ is: 'channel' })
  if (!isStarted) missing.push({ is: 'start' })
  return missing
}
