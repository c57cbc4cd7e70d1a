import { z } from 'zod'
import type { Json } from './event.ts'
import type { Field } from './field/kind.ts'

/** Where the generated console offers an action: on the thing's page, in the menu of its row, for several at once. */
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
   * Values that it gives to fields of the thing; input of the same name as a field is kept in it. Such an action needs no
   * command of its own.
   */
  readonly sets?: Readonly<Record<string, Json>>
}

const schemas = new WeakMap<EntityAction, z.ZodObject>()

/** What people give with an action, without `confirm`: strict, required fields required, the rest optional or null. */
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
