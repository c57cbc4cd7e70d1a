import { defineEntity } from '#schemas/entity.ts'
import { enumeration, string } from '#schemas/field/field.ts'
import { TEST_ENTITIES } from './test-entities.ts'

const { announcement, depot, shelf, botpreference, sitepreference } = TEST_ENTITIES

/** Its states follow from its country. */
const office = defineEntity({
  name: 'office',
  type: 'Office',
  parent: 'none',
  icon: 'Box',
  fields: {
    name: string({ required: true }),
    country: enumeration(['BR', 'US']),
    state: enumeration(['SP', 'RJ', 'CA'], {
      per: { field: 'country', options: { BR: ['SP', 'RJ'], US: ['CA'] } },
      when: { country: ['BR', 'US'] },
    }),
  },
  unique: [],
  title: 'name',
  list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
  form: [{ id: 'general', fields: ['name', 'country', 'state'] }],
  actions: {},
  confirm: false,
  place: { hub: { page: 'appsettings', order: 6 } },
})

/** The entities of the tests, each shown in another place. */
export const PLACED_ENTITIES = {
  ...TEST_ENTITIES,
  office,
  announcement: { ...announcement, place: { menu: { group: 'observe', order: 5 }, permission: 'showannouncement' } },
  depot: { ...depot, place: { hub: { page: 'appsettings', order: 5 } } },
  shelf: { ...shelf, place: { bot: { group: 'bot', order: 25 } } },
  botpreference: { ...botpreference, place: { bot: { group: 'settings', order: 5 } } },
  sitepreference: { ...sitepreference, place: { hub: { page: 'admin', order: 50 } } },
} as const
