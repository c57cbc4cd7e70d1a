import { entityStream } from '#schemas/events/entity.ts'
import type { CommandContext } from './command-context.ts'
import type { Loaded } from './load.ts'

/** The same context, reading every stream from the store: cached states may be behind what another node wrote. */
export const bypassCache = (context: CommandContext): CommandContext => {
  const { loader } = context
  return { ...context, loader: { ...loader, load: (entity, id) => loader.load(entity, id, { fresh: true }) } }
}

/** The same for one attempt, in which each stream is read once; again where `fresh` asks for it. */
export const bypassCacheOnce = (context: CommandContext): CommandContext => {
  const { loader } = context
  const read = new Map<string, Promise<Loaded>>()
  const load: typeof loader.load = (entity, id, options = {}) => {
    const stream = entityStream(entity.name, id)
    const known = options.fresh === true ? undefined : read.get(stream)
    const loaded = known ?? loader.load(entity, id, { fresh: true })
    read.set(stream, loaded)
    return loaded
  }
  return { ...context, loader: { ...loader, load } }
}
