import { TEST_ENTITIES } from './test-entities.ts'

const { announcement, depot, shelf, botpreference, sitepreference } = TEST_ENTITIES

/** The entities of the tests, each shown in another place. */
export const PLACED_ENTITIES = {
  ...TEST_ENTITIES,
  announcement: { ...announcement, place: { menu: { group: 'observe', order: 5 }, permission: 'showannouncement' } },
  depot: { ...depot, place: { hub: { page: 'appsettings', order: 5 } } },
  shelf: { ...shelf, place: { bot: { group: 'bot', order: 25 } } },
  botpreference: { ...botpreference, place: { bot: { group: 'settings', order: 5 } } },
  sitepreference: { ...sitepreference, place: { hub: { page: 'admin', order: 50 } } },
} as const
