import { type IntentData, inheritData, type NluData } from '#domain/nlu/project-data.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { EntityName } from '#schemas/entities/registry.ts'

/** A trained entity: a project of tasks, or a brain of questions and answers. */
export type ProjectEntity = 'nluproject' | 'brain'
export const PROJECT_ENTITIES: readonly ProjectEntity[] = ['nluproject', 'brain']

/** Maximum chain of inherited projects. */
const MAX_PARENTS = 20

const intentOf = ({ name, statements, responses }: RowOf<'intent' | 'nluintent'>): IntentData => ({
  ...{ name, statements, responses },
})

const ownContent = async (read: ReadModels, entity: ProjectEntity, project: RowOf<ProjectEntity>): Promise<NluData> => {
  const within = <N extends EntityName>(name: N) => allRows(read, SYSTEM_SCOPE, name, { [entity]: project.id })
  const isProject = entity === 'nluproject'
  const [intents, entities, regexes, synonyms] = await Promise.all([
    within(isProject ? 'intent' : 'nluintent'),
    isProject ? within('nluprojectentity') : [],
    isProject ? within('regex') : [],
    isProject ? within('synonym') : [],
  ])
  return {
    locale: project.locale,
    timezone: project.timezone || 'America/Sao_Paulo',
    intents: intents.map(intentOf),
    entities: entities.map(({ name, type, lookup_data }) => ({
      name,
      type,
      lookup: lookup_data.map(({ value, synonyms = [] }) => ({ value, synonyms })),
    })),
    regexes: regexes.map(({ name, entity, pattern }) => ({ name, entity, pattern })),
    synonyms: synonyms.map(({ value, synonyms }) => ({ value, synonyms })),
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
    next = project.inheritfrom ?? ''
  }
  return data
}
