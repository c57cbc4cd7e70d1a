import { defineEntity } from '../entity.ts'
import { enumeration, integer, number, string, url } from '../field/field.ts'

/** The remote service that understands for bots whose `default_nlu_system` is `remote`. All of it is given, or none. */
export const nlusettings = defineEntity({
  name: 'nlusettings',
  type: 'NluSettings',
  parent: 'none',
  cardinality: 'one',
  icon: 'SlidersHorizontal',
  fields: {
    authurl: url({ starred: true }),
    parseurl: url({ starred: true }),
    clientsecret: string({ max: 4000, secret: true, starred: true }),
    project: string({ starred: true }),
    model: string({ starred: true }),
    timeout: integer({ unit: 'ms', starred: true }),
    /** Answers under it are dropped. */
    minscore: number({ unit: '%', starred: true }),
    nluformattodownload: enumeration(['json', 'yaml'], { initial: 'yaml' }),
  },
  title: 'project',
  list: { columns: [{ field: 'project', as: 'text' }], search: [] },
  form: [
    { id: 'service', fields: ['authurl', 'parseurl', 'clientsecret'] },
    { id: 'model', fields: ['project', 'model', 'timeout', 'minscore'] },
    { id: 'download', fields: ['nluformattodownload'] },
  ],
  probes: ['test'],
  page: 'own',
  place: { hub: { page: 'nlu', order: 40 } },
})
