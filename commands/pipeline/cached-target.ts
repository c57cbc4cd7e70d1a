import { entityStream } from '#schemas/events/entity.ts'
import type { CommandContext, Run } from './command-context.ts'
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

interface CachedTarget {
  /** Read the command's own target from the cache and everything else from the store. */
  readonly context: CommandContext
  /** Whether the target was read from the cache and the store holds a newer revision of it. */
  wasStale(): Promise<boolean>
}

/**
 * Only the target of a command may be read from the cache, because the command appends to its stream: the expected
 * revision of the append detects stale state. Without an append `wasStale` does.
 */
export const cachedTarget = (context: CommandContext, { entity, command }: Run): CachedTarget => {
  const { loader } = context
  const { loader: others } = bypassCacheOnce(context)
  let cached: Loaded | undefined
  const load: typeof loader.load = async (of, id, options = {}) => {
    const isTarget = of.name === entity.name && id === command.id && options.fresh !== true
    if (!isTarget) return others.load(of, id, options)
    const isCached = loader.isCached(of, id)
    const loaded = await loader.load(of, id)
    // Decides on the first state, even if another command of this node caches a newer one.
    if (isCached) cached ??= loaded
    return loaded
  }
  return {
    context: { ...context, loader: { ...loader, load } },
    async wasStale() {
      if (cached === undefined) return false
      const { tail } = await loader.load(entity, command.id, { fresh: true })
      return tail.revision !== cached.tail.revision
    },
  }
}
