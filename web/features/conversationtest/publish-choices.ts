import type { Overview } from '#web/features/bot/index.ts'

type Flow = Overview['pending']['items'][number]

/** One publishable unit: a flow, or all flows of a task. */
export interface PublishChoice {
  readonly entity: 'dialog' | 'handler' | 'dialogtask'
  readonly id: string
  readonly name: string
  /** Flows that are not live as they are drawn. */
  readonly count: number
}

/** A task as a whole where several of its flows wait, else flow by flow; only what the person may publish. */
export const publishChoices = (
  { pending, tasks }: Pick<Overview, 'pending' | 'tasks'>,
  can: (action: string) => boolean,
): readonly PublishChoice[] => {
  const withoutMain = new Set(tasks?.nomain.map(({ id }) => id))
  const flows = Map.groupBy(pending.items, ({ dialogtask }) => dialogtask.id)
  return [...flows].flatMap(([id, waiting]): PublishChoice[] => {
    const [first] = waiting
    if (first !== undefined && waiting.length > 1 && can('publishalldialogtask') && !withoutMain.has(id))
      return [{ entity: 'dialogtask', id, name: first.dialogtask.name, count: waiting.length }]
    const permitted = waiting.filter(({ kind }: Flow) => can(`publish${kind}`))
    return permitted.map(flow => ({ entity: flow.kind, id: flow.id, name: flow.name, count: 1 }))
  })
}
