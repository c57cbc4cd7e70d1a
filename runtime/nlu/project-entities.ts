import { type ExistingEntities, UPLOADED } from '#commands/nlu/plan-upload.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import type { Scope } from '#projections/port.ts'
import { allRows } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import type { RuntimeParts } from '../parts.ts'

/** Entities of a project by type, oldest first. */
export const loadProjectEntities = async (
  read: RuntimeParts['read'],
  scope: Scope,
  project: string,
): Promise<ExistingEntities> => {
  const found = UPLOADED.map(async entity => {
    const rows = await allRows(read, scope, entity, { nluproject: project })
    const things = rows.map(({ id, revision, ...fields }) => ({ id, revision, fields }))
    return [entity, things.reverse()] as const
  })
  return Object.fromEntries(await Promise.all(found))
}
const membersOf = (value: Json | undefined) =>
  (Array.isArray(value) ? value : []).flatMap(item =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? [item] : [],
  )
const textsOf = (value: Json | undefined) =>
  (Array.isArray(value) ? value : []).filter(item => typeof item === 'string')
const linesOf = (value: Json | undefined) =>
  membersOf(value).map(({ id, text }) => ({ id: textOf(id), text: textOf(text) }))
const oneOf = <const T extends string>(options: readonly [T, ...T[]], value: Json | undefined): T =>
  options.find(option => option === value) ?? options[0]

/** The same entities as data for a download. */
export const contentOf = (things: ExistingEntities, project: Readonly<Record<string, Json>>): NluData => {
  const fieldsOf = (entity: string) => (things[entity] ?? []).map(({ fields }) => fields)
  return {
    locale: textOf(project.locale),
    timezone: textOf(project.timezone),
    intents: fieldsOf('intent').map(({ name, statements, responses }) => ({
      name: textOf(name),
      statements: linesOf(statements),
      responses: linesOf(responses),
    })),
    entities: fieldsOf('nluprojectentity').map(({ name, type, lookup_data: table }) => ({
      name: textOf(name),
      type: oneOf(['learned', 'lookup', 'system'], type),
      lookup: membersOf(table).map(({ value, synonyms }) => ({ value: textOf(value), synonyms: textsOf(synonyms) })),
    })),
    synonyms: fieldsOf('synonym').map(({ value, synonyms }) => ({ value: textOf(value), synonyms: textsOf(synonyms) })),
    regexes: fieldsOf('regex').map(({ name, entity, pattern }) => ({
      name: textOf(name),
      entity: textOf(entity),
      pattern: textOf(pattern),
    })),
    stories: fieldsOf('story').map(({ name, steps }) => ({
      name: textOf(name),
      steps: membersOf(steps).map(step => ({
        kind: oneOf(['intent', 'entity', 'action'], step.kind),
        name: textOf(step.name),
        text: textOf(step.text),
      })),
    })),
  }
}
