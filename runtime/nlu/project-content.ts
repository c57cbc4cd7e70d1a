import { inheritData } from '#domain/nlu/inherit.ts'
import type { IntentData, NluData } from '#domain/nlu/project-data.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { objectsOf, stringsOf, textOf } from '#schemas/json.ts'

/** A trained entity: a project of tasks, or a brain of questions and answers. */
export type ProjectEntity = 'nluproject' | 'brain'
export const PROJECT_ENTITIES: readonly ProjectEntity[] = ['nluproject', 'brain']

/** Maximum chain of inherited projects. */
const MAX_PARENTS = 20
const lines = (value: Json | undefined) =>
  objectsOf(value).map(item => ({ id: textOf(item.id), text: textOf(item.text) }))

const intentOf = (row: Row): IntentData => ({
  name: textOf(row.name),
  statements: lines(row.statements),
  responses: lines(row.responses),
})

const TYPES = ['learned', 'lookup', 'system'] as const

const ownContent = async (read: ReadModels, entity: ProjectEntity, project: Row): Promise<NluData> => {
  const within = (name: string) => allRows(read, SYSTEM_SCOPE, name, { [entity]: project.id })
  const isProject = entity === 'nluproject'
  const [intents, entities, regexes, synonyms] = await Promise.all([
    within(isProject ? 'intent' : 'nluintent'),
    isProject ? within('nluprojectentity') : [],
    isProject ? within('regex') : [],
    isProject ? within('synonym') : [],
  ])
  return {
    locale: textOf(project.locale) || 'pt',
    timezone: textOf(project.timezone) || 'America/Sao_Paulo',
    intents: intents.map(intentOf),
    entities: entities.map(row => ({
      name: textOf(row.name),
      type: TYPES.find(type => type === row.type) ?? 'learned',
      lookup: objectsOf(row.lookup_data).map(item => ({
        value: textOf(item.value),
        synonyms: stringsOf(item.synonyms),
      })),
    })),
    regexes: regexes.map(row => ({ name: textOf(row.name), entity: textOf(row.entity), pattern: textOf(row.pattern) })),
    synonyms: synonyms.map(row => ({ value: textOf(row.value), synonyms: stringsOf(row.synonyms) })),
  }
}

/** Training data of a project, including inherited data, as in the current read models. */
export const projectContent = async (
  read: ReadModels,
  entity: ProjectEntity,
  id: string,
): Promise<NluData | undefined> => {
  let data: NluData | undefined
  const seen = new Set<string>()
  for (let next = id; next !== '' && !seen.has(next) && seen.size < MAX_PARENTS; ) {
    seen.add(next)
    const project = await read.detail(SYSTEM_SCOPE, entity, next)
    if (project === undefined) break
    const own = await ownContent(read, entity, project)
    data = data === undefined ? own : inheritData(data, own)
    next = textOf(project.inheritfrom)
  }
  return data
}
