import { entityStream } from '#schemas/events/entity.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Run } from '../pipeline/run.ts'
import { chainOf } from './chain.ts'

/**
 * Runs processes only if the command's target is still at the plan's revision and none of its parents is busy. Checks
 * both once the process itself blocks others.
 */
export const withCurrentPlans = (context: CommandContext, { entity, command }: Run): CommandContext => {
  const { store, loader, processes } = context
  let revision: number | undefined
  const load: typeof loader.load = async (of, id, options) => {
    const loaded = await loader.load(of, id, options)
    if (of.name === entity.name && id === command.id) revision ??= loaded.tail.revision
    return loaded
  }
  const isUnmoved = async () =>
    revision === undefined || (await store.revision(entityStream(entity.name, command.id))) === revision
  return {
    ...context,
    loader: { ...loader, load },
    processes: {
      ...processes,
      carryOut: (author, plan, isCurrent = async () => true) =>
        processes.carryOut(author, plan, async () => {
          const others = (await chainOf(context, entity, command)).filter(id => id !== plan.root)
          return (await isUnmoved()) && !(await processes.isBusy(others)) && (await isCurrent())
        }),
    },
  }
}
