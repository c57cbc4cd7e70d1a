import { expect, test } from 'vitest'
import { checkedEntities, placeErrors } from './check-entities.ts'
import { ENTITIES } from './entities/registry.ts'
import type { EntityDeclaration } from './entity.ts'
import { list, reference, string, url } from './field/field.ts'
import type { Field } from './field/kind.ts'

const declare = (
  name: string,
  more: Partial<EntityDeclaration>,
  fields: Readonly<Record<string, Field>> = {},
): EntityDeclaration => ({
  name,
  type: name,
  parent: 'none',
  icon: 'Box',
  fields: { name: string(), ...fields },
  unique: [],
  title: 'name',
  list: { columns: [], search: [] },
  form: [],
  actions: {},
  confirm: false,
  ...more,
})
const inBot = { bot: reference('bot', { required: true, fixed: true }) }

test('finds nothing wrong with the declared entities', () => {
  expect(placeErrors(ENTITIES)).toEqual([])
})

test.each<[string, Partial<EntityDeclaration>, Readonly<Record<string, Field>>, string]>([
  ['lies in nothing declared', { parent: 'planet' }, {}, 'lies in planet, which is not declared'],
  ['has no field of its parent', { parent: 'bot' }, {}, 'needs a fixed reference'],
  ['has a parent that changes', { parent: 'bot' }, { bot: reference('bot') }, 'needs a fixed reference'],
  ['may lack its parent', { parent: 'bot' }, { bot: reference('bot', { fixed: true }) }, 'must require its field bot'],
  ['need not lack its parent', { parent: 'bot', withoutParent: 'level' }, inBot, 'must require its field bot'],
  ['has no parent to be removed', { parent: 'level', onParentRemoved: 'refuse' }, {}, 'lies in no other entity'],
  ['is one of a level', { parent: 'level', cardinality: 'one' }, {}, 'cannot lie in a level'],
  ['is one without a default', { cardinality: 'one' }, { key: string({ required: true }) }, 'is required and has none'],
  ['shows what is elsewhere', { children: ['dialog'] }, {}, 'shows dialog, which does not lie in it'],
  ['lies in itself', { parent: 'x' }, { x: reference('x', { required: true, fixed: true }) }, 'lies in itself'],
])('refuses an entity that %s', (_, more, fields, error) => {
  const entities = { ...ENTITIES, x: declare('x', more, fields) }
  expect(placeErrors(entities)).toEqual([expect.stringContaining(error)])
  expect(() => checkedEntities(entities)).toThrow('Entity x')
})

const inTask = { dialogtask: reference('dialogtask', { required: true, fixed: true }) }
const inComment = { dialogcomment: reference('dialogcomment', { required: true, fixed: true }) }
const no = { versioned: { not: 'a reason' } } as const
const yes = { versioned: true } as const

test.each<[string, Partial<EntityDeclaration>, Readonly<Record<string, Field>>, string]>([
  ['lies in a bot and says nothing', { parent: 'bot' }, inBot, "versioned: true, or versioned: { not: '<reason>' }"],
  ['lies in a thing of a bot and says nothing', { parent: 'dialogtask' }, inTask, 'must say whether versions take'],
  ['lies in no bot', { parent: 'level', ...yes }, {}, 'says versioned, but does not lie in a bot'],
  ['lies in what is not taken', { parent: 'dialogcomment', ...yes }, inComment, 'but dialogcomment, which it lies in'],
  ['keeps what is taken', { parent: 'dialogtask', onParentRemoved: 'refuse', ...no }, inTask, 'keeps dialogtask from'],
  [
    'has a field flow',
    { parent: 'bot', ...yes },
    { ...inBot, flow: string() },
    'its field flow has the name of a member',
  ],
])('refuses, for versions, an entity that %s [P-141]', (_, more, fields, error) => {
  const entities = { ...ENTITIES, x: declare('x', more, fields) }
  expect(placeErrors(entities)).toEqual([expect.stringContaining(error)])
})

test.each<[string, Partial<EntityDeclaration>, Readonly<Record<string, Field>>, string]>([
  [
    'an address',
    { parent: 'bot', ...yes },
    { ...inBot, site: url() },
    'must say whether a version of another bot changes site',
  ],
  ['a name of an address', { parent: 'bot', ...yes }, { ...inBot, smsEndpoint: string() }, 'changes smsEndpoint'],
  ['an account', { parent: 'bot', ...yes }, { ...inBot, account_id: string() }, 'changes account_id'],
  [
    'a list with secrets',
    { parent: 'bot', ...yes },
    { ...inBot, lines: list({ name: string(), value: string({ secret: true }) }) },
    'changes lines',
  ],
  [
    'a decision of a field that no version carries',
    { parent: 'level' },
    { site: url({ perEnvironment: true }) },
    'says perEnvironment of site',
  ],
  [
    'a decision of its name',
    { parent: 'bot', ...yes },
    { ...inBot, name: string({ perEnvironment: true }) },
    'of name',
  ],
])('refuses an entity with %s and no valid decision on environments [P-1785]', (_, more, fields, error) => {
  const entities = { ...ENTITIES, x: declare('x', more, fields) }
  expect(placeErrors(entities)).toEqual([expect.stringContaining(error)])
})

test('declares the fields that belong to the environment, and only these [P-1785]', () => {
  const declared = Object.values<EntityDeclaration>(ENTITIES).flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { perEnvironment }]) =>
      perEnvironment === true ? [`${name}.${field}`] : [],
    ),
  )
  expect(declared.sort()).toEqual([
    'bot.agentendpoint',
    'bot.botendpoint',
    'bot.channel_service_endpoint',
    'bot.customer',
    'bot.deploymentenv',
    'bot.internal_endpoints',
    'bot.keepdays',
    'bot.minservicesneeded',
    'bot.weeklyreport',
    'dialog.sharedraftuntil',
    'globalvariable.value',
    'integration.analytics_provider',
    'integration.app_id',
    'integration.google_analytics_id',
    'integration.video_chat_provider',
    'oauth.access_token_url',
    'oauth.auth_url',
    'oauth.callback',
    'oauth.client_id',
    'oauth.headers',
    'oauth.username',
  ])
})

test('refuses an entity whose things would be a member of version files that is taken [P-141]', () => {
  const utterence = { ...declare('utterence', { parent: 'dialogtask', ...yes }, inTask) }
  expect(placeErrors({ ...ENTITIES, utterence })).toEqual([expect.stringContaining('would be utterences')])
})
