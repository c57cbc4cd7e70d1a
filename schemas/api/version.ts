import { z } from 'zod'
import { ENTITIES } from '../entities/registry.ts'
import { type EntityDeclaration, parentField } from '../entity.ts'
import { versionFileSchema } from '../version-file.ts'
import { isVersioned, versionMember } from '../versioned.ts'
import { json, named } from './common.ts'
import { flowSummarySchema } from './flow-text.ts'

export const versionFileAnswer = named('VersionFile', versionFileSchema)

const summary = flowSummarySchema.pick({ added: true, changed: true, removed: true })
const state = z.enum(['added', 'changed', 'removed'])
const change = z.object({ path: z.string(), before: json, after: json })

/** Members of a preview that hold the flows of one entity each; member `parent` holds the parent's name. */
export const PREVIEWED_FLOWS: readonly { readonly member: string; readonly entity: string; readonly parent: string }[] =
  Object.values<EntityDeclaration>(ENTITIES).flatMap(entity => {
    if (entity.flow === undefined || !isVersioned(entity)) return []
    return [{ member: versionMember(entity), entity: entity.name, parent: parentField(entity) ?? 'parent' }]
  })

const flows = Object.fromEntries(
  PREVIEWED_FLOWS.map(({ member, parent }) => [
    member,
    z.array(z.object({ id: z.string().nullable(), name: z.string(), [parent]: z.string(), state, summary })),
  ]),
)

const thing = z.object({
  entity: z.string(),
  /** Of the present one; of the version where there is none. */
  id: z.string().nullable(),
  name: z.string(),
  /** Names of its parents, within the bot. */
  within: z.array(z.string()),
  state,
  /** Fields of a thing that changes. */
  changes: z.array(change),
  /** Of its flow. */
  summary: summary.optional(),
  /** Applying publishes its flow: it was published in the other bot. */
  publishes: z.literal(true).optional(),
})

/** Fields of a thing that keep their values, because these belong to the environment. */
const staying = thing.pick({ entity: true, id: true, name: true, within: true }).extend({ fields: z.array(z.string()) })

/** Changed and unchanged parts when a version is applied. */
export const versionPreviewSchema = named(
  'VersionPreview',
  z.object({
    ...(flows as Record<never, never>),
    settings: z.array(change),
    things: z.array(thing),
    stays: z.array(staying),
  }),
)

export const versionUploadQuery = z.strictObject({ bot: z.string().max(200) })
