import type { Fields } from '#domain/entity.ts'
import { withWholeItems } from '#domain/field/stored-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { sealChanges } from '../keys/secret.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'

interface On {
  readonly entity: EntityDeclaration
  readonly id: string
  /** Its fields before; none where it is about to be made. */
  readonly present: Fields
}

/** Fields that a step sets as they may be stored: items of lists complete, what is secret from now on encrypted. */
export const storedFields = (
  { keys }: Pick<CommandContext, 'keys'>,
  { seed }: Pick<Author, 'seed'>,
  { entity, id, present }: On,
  fields: Fields,
): Promise<Fields> => {
  const whole = withWholeItems(entity.fields, present, fields, path => derivedId(seed, `item:${path}`))
  return sealChanges(keys, entity, id, present, whole)
}
