import type { Json, JsonObject } from '#schemas/event.ts'
import { openField, openItems } from '../keys/secret.ts'
import type { CommandContext } from '../pipeline/command-context.ts'

/** Fields of a live thing with its secrets decrypted; undefined when there is no such thing. */
export const openFields = async (
  { entityOf, loader, keys }: CommandContext,
  name: string,
  id: string,
): Promise<JsonObject | undefined> => {
  const entity = entityOf(name)
  if (entity === undefined) return undefined
  const { state } = await loader.load(entity, id)
  if (state.status !== 'live') return undefined
  const open = async ([field, value]: readonly [string, Json]): Promise<readonly [string, Json]> => {
    const declared = entity.fields[field]
    return declared?.kind === 'list'
      ? [field, await openItems(keys, entity, id, field, value)]
      : [field, (await openField(keys, entity, id, field, value)) ?? null]
  }
  return Object.fromEntries(await Promise.all(Object.entries(state.fields).map(open)))
}
