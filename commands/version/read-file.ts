import { itemsOf } from '#domain/field/stored-items.ts'
import { fieldErrors } from '#domain/field-error.ts'
import { flowExcess, parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { mapThings, thingsIn, type VersionPath } from '#domain/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type VersionFile, type VersionThing, versionFileSchema } from '#schemas/version-file.ts'
import { flowError, scriptErrors } from '../flow/read-flow-file.ts'
import { readJsonBody } from '../pipeline/parse.ts'
import { variableScope } from '../upcasters/upcast.ts'

/** Converts a version file to the present format. Any other input stays unchanged. */
export const upcastFile = (file: Json): Json => {
  if (!isObject(file) || !Array.isArray(file.variables)) return file
  const variables = file.variables.map(thing => (isObject(thing) ? variableScope({ fields: thing }).fields : thing))
  return { ...file, variables } as JsonObject
}

const MAX_ERRORS = 50

/** A version file that was found to be one. */
interface ReadVersionFile {
  readonly name: string
  readonly description: string | null
  /** The checked file as JSON. */
  readonly text: string
}

/** Reads the bytes of a version file, its flows included; anything else is `version.format` with where. */
export const readVersionFile = (bytes: Uint8Array): Result<ReadVersionFile> => {
  const json = readJsonBody(bytes)
  if (!json.ok || json.value === undefined) {
    const errors = json.ok ? undefined : json.refusal.errors
    return refused('version.format', { errors: errors ?? [{ path: '', code: 'format' }] })
  }
  const file = checkedFile(upcastFile(json.value))
  if (!file.ok) return file
  const { name, description = null } = file.value
  return accepted({ name, description, text: JSON.stringify(file.value) })
}

/** Excess content in flows of a stored version: it may be older than the limits. */
export const versionExcess = (file: VersionFile): readonly FieldError[] => {
  const errors = thingsIn(ENTITIES, file).flatMap(({ entity, thing, path }) => {
    if (entity.flow === undefined || thing.flow === undefined) return []
    const flows = flowsOf(thing, path).map(([at, flow]) =>
      under(at, flowExcess(flow as unknown as FlowFile).map(flowError)),
    )
    return [...flows.flat(), ...scriptErrorsOf(thing, path)]
  })
  return errors.slice(0, MAX_ERRORS)
}

/** The drawing of a thing and what is published of it, each with its place. */
const flowsOf = ({ flow, release }: VersionThing, path: VersionPath): readonly (readonly [VersionPath, Json])[] => {
  const [released] = itemsOf([release ?? null])
  return [
    [[...path, 'flow'], flow ?? null],
    ...(released?.flow === undefined ? [] : [[[...path, 'release', 'flow'], released.flow] as const]),
  ]
}

const scriptErrorsOf = ({ js, release }: VersionThing, path: VersionPath): readonly FieldError[] => {
  const [released] = itemsOf([release ?? null])
  return [...under(path, scriptErrors(js)), ...under([...path, 'release'], scriptErrors(released?.js))]
}

const under = (path: VersionPath, errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map(error => ({ ...error, path: [...path, ...(error.path === '' ? [] : [error.path])].join('.') }))

const checkedFile = (input: Json): Result<VersionFile> => {
  const parsed = versionFileSchema.safeParse(input)
  if (!parsed.success) {
    return refused('version.format', { errors: fieldErrors(parsed.error, input).slice(0, MAX_ERRORS) })
  }
  const errors: FieldError[] = []
  const file = mapThings(ENTITIES, parsed.data as unknown as VersionFile, (entity, thing, path) => {
    if (entity.flow === undefined) return {}
    errors.push(...scriptErrorsOf(thing, path))
    const [drawn = null, released] = flowsOf(thing, path).map(([at, given]) => {
      const flow = parseFlowFile(given)
      if (!flow.ok) errors.push(...under(at, flow.errors.map(flowError)))
      return flow.ok ? (flow.file as unknown as Json) : null
    })
    const [release] = itemsOf([thing.release ?? null])
    return { flow: drawn, ...(released === undefined ? {} : { release: { ...release, flow: released } }) }
  })
  return errors.length > 0 ? refused('version.format', { errors: errors.slice(0, MAX_ERRORS) }) : accepted(file)
}
