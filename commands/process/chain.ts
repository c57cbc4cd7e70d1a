import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { isSingle, singleParent } from '#schemas/single.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Command } from '../port.ts'

/** Ids of a thing that can be part of a process and of all that it lies in: what may be busy. */
export const chainOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  { id, input }: Pick<Command, 'id' | 'input'>,
): Promise<string[]> => {
  const ids = id === '' ? [] : [id]
  let field = parentField(entity)
  if (field === undefined) return isContainer(context, entity) ? ids : []
  let fields = id === '' ? input : await fieldsOf(context, entity, id)
  for (;;) {
    const parent = field === undefined ? undefined : fields[field]
    const container = field === undefined ? undefined : context.entityOf(field)
    if (typeof parent !== 'string' || container === undefined) return ids
    ids.push(parent)
    field = parentField(container)
    fields = field === undefined ? {} : await fieldsOf(context, container, parent)
  }
}

const isContainer = ({ entities }: CommandContext, { name }: EntityDeclaration) =>
  Object.values(entities).some(child => parentField(child) === name)

const fieldsOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  id: string,
): Promise<Readonly<Record<string, Json>>> => {
  const { state } = await context.loader.load(entity, id)
  if (state.status === 'live' || state.status === 'removed') return state.fields
  return (isSingle(entity) ? singleParent(entity, id) : undefined) ?? {}
}
