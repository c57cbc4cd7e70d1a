import { defineEntity, type EntityDeclaration } from '#schemas/entity.ts'
import {
  boolean,
  enumeration,
  file,
  integer,
  list,
  reference,
  references,
  string,
  strings,
  text,
} from '#schemas/field/field.ts'
import { extendRegistry } from './extend-registry.ts'

const named = {
  title: 'name',
  list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
  form: [{ id: 'general', fields: ['name'] }],
  icon: 'Box',
  actions: {},
  confirm: false,
} as const

const announcement = defineEntity({
  ...named,
  name: 'announcement',
  type: 'Announcement',
  parent: 'none',
  fields: { name: string({ required: true }), urgent: boolean(), weight: integer({ min: 0 }) },
  unique: [],
})

const depot = defineEntity({
  ...named,
  name: 'depot',
  type: 'Depot',
  parent: 'level',
  fields: {
    name: string({ required: true }),
    size: enumeration(['small', 'large'], { initial: 'small' }),
    closed: boolean({ readonly: true }),
    reason: string({ readonly: true }),
  },
  unique: [{ field: 'name', within: 'level' }],
  actions: {
    close: {
      icon: 'Lock',
      on: ['page', 'row', 'bulk'],
      input: { reason: string({ required: true, max: 20 }) },
      confirm: 'typed',
      danger: true,
      when: { closed: [false] },
      sets: { closed: true },
    },
    reopen: {
      icon: 'LockOpen',
      on: ['page', 'row', 'bulk'],
      when: { closed: [true] },
      sets: { closed: false, reason: null },
    },
  },
})

/** In a bot, with two kinds of things in it: crates go with it, tickets keep it from being removed. */
const shelf = defineEntity({
  ...named,
  name: 'shelf',
  type: 'Shelf',
  parent: 'bot',
  versioned: true,
  fields: { bot: reference('bot', { required: true, fixed: true }), name: string({ required: true }), tags: strings() },
  unique: [{ field: 'name', within: 'bot' }],
  confirm: true,
})

const crate = defineEntity({
  ...named,
  name: 'crate',
  type: 'Crate',
  parent: 'shelf',
  versioned: true,
  fields: { shelf: reference('shelf', { required: true, fixed: true }), name: string({ required: true }) },
  unique: [],
})

/** Three levels below a bot's. */
const parcel = defineEntity({
  ...named,
  name: 'parcel',
  type: 'Parcel',
  parent: 'crate',
  versioned: true,
  fields: {
    crate: reference('crate', { required: true, fixed: true }),
    name: string({ required: true }),
    content: text({ secretWhen: 'sealed' }),
    sealed: boolean(),
  },
  unique: [{ field: 'name', within: 'crate' }],
})

const ticket = defineEntity({
  ...named,
  name: 'ticket',
  type: 'Ticket',
  parent: 'shelf',
  versioned: true,
  onParentRemoved: 'refuse',
  fields: { shelf: reference('shelf', { required: true, fixed: true }), name: string({ required: true }) },
  unique: [],
})

/** With a value of each kind that versions handle specially. */
const manual = defineEntity({
  ...named,
  name: 'manual',
  type: 'Manual',
  parent: 'shelf',
  versioned: true,
  fields: {
    shelf: reference('shelf', { required: true, fixed: true }),
    name: string({ required: true }),
    cover: file(['image/png']),
    chapters: list(
      { title: string(), password: string({ secret: true }) },
      { perEnvironment: { not: 'a book reads the same everywhere' } },
    ),
    steps: list({ title: string() }),
    key: string({ secret: true }),
    edition: string({ fixed: true }),
    crate: reference('crate'),
    crates: references('crate'),
    depot: reference('depot'),
  },
  unique: [{ field: 'name', within: 'shelf' }],
  import: { key: ['name'] },
})

/** Of a bot, and in no version of it. */
const receipt = defineEntity({
  ...named,
  name: 'receipt',
  type: 'Receipt',
  parent: 'bot',
  versioned: { not: 'what was paid stays paid' },
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    shelf: reference('shelf'),
  },
  unique: [],
})

const single = {
  title: 'greeting',
  list: { columns: [{ field: 'greeting', as: 'name' }], search: ['greeting'] },
  form: [{ id: 'general', fields: ['greeting', 'timeout', 'key'] }],
  icon: 'Box',
  actions: {},
  confirm: false,
  unique: [],
  cardinality: 'one',
} as const
const settings = {
  greeting: string({ initial: 'hello' }),
  timeout: integer({ min: 0, initial: 40_000, unit: 'ms' }),
  key: string({ secret: true }),
}

const botpreference = defineEntity({
  ...single,
  name: 'botpreference',
  type: 'BotPreference',
  parent: 'bot',
  versioned: true,
  fields: { bot: reference('bot', { required: true, fixed: true }), ...settings },
})

/** One in each shelf of a bot. */
const lighting = defineEntity({
  ...single,
  name: 'lighting',
  type: 'Lighting',
  parent: 'shelf',
  versioned: true,
  fields: { shelf: reference('shelf', { required: true, fixed: true }), ...settings },
})

/** One in each task of a bot, which is duplicated with it. */
const taskpreference = defineEntity({
  ...single,
  name: 'taskpreference',
  type: 'TaskPreference',
  parent: 'dialogtask',
  versioned: true,
  fields: { dialogtask: reference('dialogtask', { required: true, fixed: true }), ...settings },
})

const sitepreference = defineEntity({
  ...single,
  name: 'sitepreference',
  type: 'SitePreference',
  parent: 'none',
  fields: settings,
})

/** One entity of each place and cardinality, which nothing else in the project has heard of. */
export const TEST_ENTITIES = {
  announcement,
  depot,
  shelf,
  crate,
  parcel,
  ticket,
  manual,
  receipt,
  botpreference,
  lighting,
  taskpreference,
  sitepreference,
}

/** Factory for `vi.mock`: the registry with these entities. */
export const withTestEntities = async (
  load: () => Promise<{ readonly ENTITIES: Readonly<Record<string, EntityDeclaration>> }>,
) => extendRegistry(await load(), TEST_ENTITIES)
