import { z } from 'zod'
import type { Json } from './event.ts'
import type { Field } from './field/kind.ts'

/** Places of an action in the generated console: the entity's page, the menu of its row, the bulk selection. */
export type ActionPlace = 'page' | 'row' | 'bulk'

/**
 * A named command of an entity: the permission `<name><entity>`, the route `POST /{entity}/{id}/{name}`, and its texts
 * `action.<name>`: `do`, `done`, `question` where it asks first, `field.<input>` for each field it asks for.
 */
export interface EntityAction {
  /** lucide icon name. */
  readonly icon: string
  readonly on: readonly ActionPlace[]
  /** Body of its request; the console asks for it in a dialog. */
  readonly input?: Readonly<Record<string, Field>>
  /** `question`: the console asks first. `typed`: CONFIRM must be typed, and be in the body. */
  readonly confirm?: 'question' | 'typed'
  /** Offered while each of these fields of the thing has one of these values. */
  readonly when?: Readonly<Record<string, readonly Json[]>>
  readonly danger?: true
  /**
   * Values for fields of the entity; input with a field's name is stored in that field. Such an action needs no
   * command.
   */
  readonly sets?: Readonly<Record<string, Json>>
}

const schemas = new WeakMap<EntityAction, z.ZodObject>()

/** Input of an action, without `confirm`: strict, required fields required, the rest optional or null. */
export const actionInputSchema = (action: EntityAction): z.ZodObject => {
  const known = schemas.get(action)
  if (known !== undefined) return known
  const shape = Object.fromEntries(
    Object.entries(action.input ?? {}).map(([name, field]) => [
      name,
      field.required ? field.schema : field.schema.nullable().optional(),
    ]),
  )
  const made = z.strictObject(shape)
  schemas.set(action, made)
  return made
}

/** Body of the request, for its description. */
export const actionBodySchema = (action: EntityAction): z.ZodObject =>
  action.confirm === 'typed'
    ? actionInputSchema(action).extend({ confirm: z.literal('CONFIRM') })
    : actionInputSchema(action)

/** Whether an action is offered for a thing in this state. */
export const isOffered = ({ when = {} }: EntityAction, row: Readonly<Record<string, Json>>): boolean =>
  Object.entries(when).every(([field, values]) => values.includes(row[field] ?? null))
