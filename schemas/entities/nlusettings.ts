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
    authurl: url(),
    parseurl: url(),
    clientsecret: string({ max: 4000, secret: true }),
    project: string(),
    model: string(),
    timeout: integer({ unit: 'ms' }),
    /** Answers under it are dropped. */
    minscore: number({ unit: '%' }),
    nluformattodownload: enumeration(['json', 'yaml'], { initial: 'yaml' }),
  },
  unique: [],
  title: 'project',
  list: { columns: [{ field: 'project', as: 'text' }], search: [] },
  form: [
    { id: 'service', fields: ['authurl', 'parseurl', 'clientsecret'] },
    { id: 'model', fields: ['project', 'model', 'timeout', 'minscore'] },
    { id: 'download', fields: ['nluformattodownload'] },
  ],
  actions: {},
  probes: ['test'],
  confirm: false,
  page: 'own',
  place: { hub: { page: 'nlu', order: 40 } },
})
