import { defineEntity } from '#schemas/entity.ts'
import * as f from '#schemas/field/field.ts'

/** An entity with a field of every kind, which nothing else in the project has heard of. */
const specimen = defineEntity({
  name: 'specimen',
  type: 'Specimen',
  parent: 'level',
  icon: 'FlaskConical',
  fields: {
    name: f.string({ required: true }),
    note: f.text(),
    about: f.markdown(),
    script: f.code(),
    data: f.json(),
    shape: f.jsonSchema(),
    contact: f.email(),
    count: f.integer({ min: 0, max: 100 }),
    ratio: f.number(),
    active: f.boolean(),
    auth: f.enumeration(['none', 'basic'], { initial: 'none' }),
    username: f.string({ required: true, when: { auth: ['basic'] } }),
    key: f.string({ secret: true }),
    country: f.enumeration(['BR', 'US']),
    state: f.enumeration(['SP', 'RJ', 'CA'], {
      per: { field: 'country', options: { BR: ['SP', 'RJ'], US: ['CA'] } },
    }),
    bot: f.reference('bot'),
    bots: f.references('bot'),
    tags: f.strings(),
    seen: f.time(),
    site: f.url(),
    paint: f.color(),
    schedule: f.cron({ zone: 'America/Sao_Paulo' }),
    patience: f.duration('ms', { max: 60_000, initial: 40_000 }),
    mobile: f.phone(),
    parser: f.enumeration(['Jexl', 'JSONPath'], { initial: 'Jexl' }),
    rule: f.expression({ field: 'parser' }),
    contract: f.file(['application/pdf', 'text/plain'], { maxBytes: 100 }),
    logo: f.image(),
    headers: f.list({
      name: f.string({ required: true }),
      value: f.string({ secret: true }),
      icon: f.image(),
      retries: f.integer({ initial: 3 }),
    }),
  },
  unique: [{ field: 'name', within: 'level' }],
  title: 'name',
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'patience', as: 'number' },
    ],
    search: ['name', 'mobile'],
  },
  form: [{ id: 'general', fields: ['name'] }],
  actions: {},
  confirm: false,
})

type Registry = typeof import('#schemas/entities/registry.ts')

/** The registry with the specimen, for `vi.mock`: a gateway in the test's own process then serves it. */
export const registryWithSpecimen = async (load: <T>() => Promise<T>): Promise<Registry> => {
  const registry = await load<Registry>()
  const ENTITIES = { ...registry.ENTITIES, specimen }
  return { ...registry, ENTITIES, isEntityName: (name): name is never => Object.hasOwn(ENTITIES, name) }
}
