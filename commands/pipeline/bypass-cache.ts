import { entityStream } from '#schemas/events/entity.ts'
import type { Tools } from './command-context.ts'
import type { Loaded } from './load.ts'

/** The same tools, reading every stream from the store: cached states may be behind what another node wrote. */
export const freshly = (tools: Tools): Tools => {
  const { loader } = tools
  return { ...tools, loader: { ...loader, load: (entity, id) => loader.load(entity, id, { fresh: true }) } }
}

/** The same for one attempt, in which each stream is read once; again where `fresh` asks for it. */
export const freshlyOnce = (tools: Tools): Tools => {
  const { loader } = tools
  const read = new Map<string, Promise<Loaded>>()
  const load: typeof loader.load = (entity, id, options = {}) => {
    const stream = entityStream(entity.name, id)
    const known = options.fresh === true ? undefined : read.get(stream)
    const loaded = known ?? loader.load(entity, id, { fresh: true })
    read.set(stream, loaded)
    return loaded
  }
  return { ...tools, loader: { ...loader, load } }
}
