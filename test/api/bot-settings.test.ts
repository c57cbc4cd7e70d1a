import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)
const refusedAt = async (entity: string, fields: object): Promise<readonly string[]> => {
  const { status, text, body } = await admin.post(`/${entity}`, fields)
  expect(status, text).toBe(422)
  return body.errors.map(({ path, code }) => `${path} ${code}`).sort()
}
const only = async (entity: string) => (await admin.get(`/${entity}?bot=${bot}`)).body.items[0] ?? {}

const COLORS = [
  ...['welcome_chat_header_background', 'chat_header_background', 'menu_button_color', 'close_button_color'],
  ...['bubble_background', 'bubble_first_icon_color', 'bubble_second_icon_color', 'botmessage_background'],
  ...['usermessage_background', 'chat_background', 'sendmessage_background'],
]
const PICTURES = [
  ...['welcome_banner_image', 'welcome_emoji_image', 'chat_logo', 'bubble_first_icon', 'bubble_second_icon'],
  ...['botavtar', 'useravtar', 'agentavtar'],
]
const TEXTS = [
  ...['welcome_start_message', 'chat_logo_title', 'chat_offline_message', 'chat_title', 'chat_sub_title'],
  ...['bot_nickname', 'sendbox_disabled_tooltip', 'chat_error_title', 'chat_error_message'],
]
const SWITCHES = [
  ...['show_botname_on_avtar', 'show_username_on_avtar', 'show_agentname_on_avtar', 'use_dropdown', 'useCalendar'],
  ...['overrideHeroCard', 'overrideAudioCard', 'overrideVideoCard', 'overrideCarousal', 'alert_on_agent_connected'],
  'decorate_activity_based_on_role',
]

const { bot, task, dialog } = await admin.createDialog({ name: 'Loja' }, 'Entrega', 'Menu')
const handler = await made('handler', { dialogtask: task, name: 'Prazo' })
const otherBot = await made('bot', { name: 'Banco' })
const otherTask = await made('dialogtask', { bot: otherBot, name: 'Conta' })
const other = { bot: otherBot, task: otherTask, dialog: await made('dialog', { dialogtask: otherTask, name: 'Saldo' }) }

describe('a bot', () => {
  test('has its identity, its environment among three, and nothing else in their place [C-3.09] [C-3.15]', async () => {
    const identity = {
      name: 'Clínica',
      description: 'Marca consultas',
      customer: 'Vida',
      industry: 'Saúde',
      segment: 'Clínicas',
      deploymentenv: 'preproduction',
      botframeworkversion: '4.22',
      avatars: ['https://a.example/a.png'],
      hideinstackview: true,
    }
    const id = await made('bot', identity)
    expect((await admin.get(`/bot/${id}`)).body).toMatchObject({ id, ...identity })
    expect((await admin.get(`/bot/${bot}`)).body).toMatchObject({ deploymentenv: 'development' })
    expect(await refusedAt('bot', { name: 'X', deploymentenv: 'staging' })).toEqual(['deploymentenv option'])
  })

  test('has one conversation setting at its defaults, changed and brought back to them [C-3.61] [C-9.03] [C-9.04] [C-9.05] [C-9.06] [C-9.09]', async () => {
    const defaults = {
      usertimeout: 40_000,
      endconversationtimeout: 120_000,
      agenttimeout: 120_000,
      agent_inactive_timeout: 120_000,
      usertimeout_with_agent: 300_000,
      agent_default_task: null,
      agent_default_dialog: null,
      affirm: 'affirm',
      deny: 'deny',
      cancel: 'cancel',
      goback: 'goback',
      history_length: 20,
      remember_user_on_reload: true,
    }
    const row = await only('conversationsetting')
    expect(row).toMatchObject({ revision: 0, bot, ...defaults })
    const at = `/conversationsetting/${row.id}`
    expect((await admin.patch(at, { usertimeout: -1 }, 0)).body.errors).toMatchObject([{ path: 'usertimeout' }])
    expect((await admin.patch(at, { agent_default_dialog: other.dialog }, 0)).body.errors).toMatchObject([
      { path: 'agent_default_dialog', code: 'reference' },
    ])
    expect((await admin.patch(at, { usertimeout: 5000, agent_default_task: task }, 0)).status).toBe(200)
    expect(await only('conversationsetting')).toMatchObject({ usertimeout: 5000, agent_default_task: task })
    await admin.delete(at)
    expect(await only('conversationsetting')).toMatchObject(defaults)
  })

  test('has one advanced setting with the timeouts and the encoding at their defaults [C-3.62] [C-9.07]', async () => {
    const timeouts = { service_timeout: 40_000, agent_timeout: 40_000, ml_timeout: 40_000, webservice_timeout: 40_000 }
    expect(await only('botadvancedsetting')).toMatchObject({ revision: 0, ...timeouts, encoding: 'utf-8' })
  })
})

describe('the chat interface of a bot', () => {
  test('is one, at its defaults, and is brought back to them [C-2.81] [D-3.5.01] [D-3.5.02] [D-3.5.03] [D-3.5.04] [D-3.5.05] [D-3.5.06] [D-3.5.07] [D-3.5.08] [D-3.5.09] [D-3.5.10] [D-3.5.11]', async () => {
    const row = await only('chatinterface')
    for (const name of [...COLORS, ...PICTURES, ...TEXTS]) expect(row[name as keyof typeof row], name).toBeNull()
    expect(row).toMatchObject({
      revision: 0,
      bot,
      chat_width: '372px',
      chat_height: 'calc(100% - 80px)',
      use_dropdown: false,
      minimum_options_to_enable_dropdown: 8,
      useCalendar: true,
      overrideCarousal: true,
      decorate_activity_based_on_role: false,
    })
    const at = `/chatinterface/${row.id}`
    const given = {
      ...Object.fromEntries(COLORS.map(name => [name, '#17443F80'])),
      ...Object.fromEntries(PICTURES.map(name => [name, `https://a.example/${name}.png`])),
      ...Object.fromEntries(TEXTS.map(name => [name, name])),
      ...Object.fromEntries(SWITCHES.map(name => [name, true])),
      avtar_size: 26,
      message_padding: '8px 12px',
      chat_width: '30rem',
      chat_height: '80vh',
      minimum_options_to_enable_dropdown: 4,
      alert_on_agent_connected_url: 'https://a.example/ring.MP3?v=1',
      chat_error_alternative_link: 'https://a.example/help',
    }
    const { status, text } = await admin.patch(at, given, 0)
    expect(status, text).toBe(200)
    expect(await only('chatinterface')).toMatchObject(given)
    await admin.delete(at)
    expect(await only('chatinterface')).toMatchObject({ chat_width: '372px', chat_title: null, use_dropdown: false })
  })

  test('takes lengths and colours in their forms, and an mp3 as the sound [P-540] [D-5.05]', async () => {
    const { id, revision } = await only('chatinterface')
    const wrong = {
      chat_width: 'expression(alert(1))',
      chat_height: '80',
      message_padding: '1px;color:red',
      bubble_background: 'teal',
      avtar_size: 400,
      alert_on_agent_connected_url: 'https://a.example/ring.ogg',
      minimum_options_to_enable_dropdown: 1,
    }
    const { status, body } = await admin.patch(`/chatinterface/${id}`, wrong, Number(revision))
    expect(status).toBe(422)
    expect(body.errors.map(({ path }) => path).sort()).toEqual(Object.keys(wrong).sort())
    expect(body.errors.find(({ path }) => path === 'alert_on_agent_connected_url')).toMatchObject({
      message: 'An address that ends in .mp3 is expected',
    })
  })
})

describe('the entities of a bot', () => {
  test('variables have a scope among three, a schema and where they are used [C-3.47] [C-3.48]', async () => {
    const schema = await made('variableschema', { bot, name: 'Endereço', schemajson: '{"type":"object"}' })
    const fields = { datatype: 'object', schema, customdata: { a: [1] }, component: 'form', dialog, task }
    for (const scope of ['dialog', 'conversation', 'user']) {
      const id = await made('variable', { bot, name: `v-${scope}`, scope, ...fields })
      expect((await admin.get(`/variable/${id}`)).body).toMatchObject({ scope, ...fields })
    }
    const plain = await made('variable', { bot, name: 'plain' })
    expect((await admin.get(`/variable/${plain}`)).body).toMatchObject({ scope: 'dialog' })
    expect(await refusedAt('variable', { bot, name: 'x', scope: 'userdata' })).toEqual(['scope option'])
    expect(await refusedAt('variable', { bot, name: 'x', dialog: other.dialog })).toEqual(['dialog reference'])
  })

  test('a global variable has a name, a value and whether it is secret [C-3.51]', async () => {
    const id = await made('globalvariable', { bot, name: 'chave', value: 'abc', secret: true })
    expect((await admin.get(`/globalvariable/${id}`)).body).toMatchObject({ name: 'chave', value: { set: true } })
  })

  test('an integration keeps its keys to itself [C-3.53]', async () => {
    const open = {
      map_provider: 'google',
      analytics_provider: 'matomo',
      google_analytics_id: 'G-1',
      video_chat_provider: 'jitsi',
      app_id: 'a',
      token_expiry: 3600,
    }
    const id = await made('integration', { bot, ...open, map_key: 'k-1', analytics_key: 'k-2', secret: 'k-3' })
    const { body, text } = await admin.get(`/integration/${id}`)
    const set = { set: true }
    expect(body).toMatchObject({ ...open, map_key: set, analytics_key: set, secret: set })
    expect(text + (await admin.get(`/integration/${id}/history`)).text).not.toMatch(/k-[123]/)
  })

  test('an intent group holds the names of its intents [C-3.56]', async () => {
    const id = await made('intentgroup', { bot, name: 'Saudações', intents: ['oi', 'bom_dia'] })
    expect((await admin.get(`/intentgroup/${id}`)).body).toMatchObject({ intents: ['oi', 'bom_dia'] })
    expect(await refusedAt('intentgroup', { bot })).toEqual(['name required'])
  })

  test('an entity value pair holds an entity and its values [C-3.57]', async () => {
    const values = [{ id: 'a', value: 'sp', title: 'São Paulo', synonyms: ['sampa'] }]
    const id = await made('entityvaluepair', { bot, name: 'Cidades', entity: 'city', values })
    expect((await admin.get(`/entityvaluepair/${id}`)).body).toMatchObject({ entity: 'city', values })
    expect(await refusedAt('entityvaluepair', { bot, name: 'x', entity: 'y', values: [{ title: 'z' }] })).toEqual([
      'values.0.value required',
    ])
  })

  test('a user tip has a message in a locale that the store supports [C-5.07]', async () => {
    const id = await made('usertip', { bot, name: 'Dica', message: 'Digite menu', order: 2 })
    expect((await admin.get(`/usertip/${id}`)).body).toMatchObject({ locale: 'pt', enabled: true, order: 2 })
    expect(await refusedAt('usertip', { bot, name: 'x', message: 'y', locale: 'es' })).toEqual(['locale option'])
  })
})

describe('intent mapping', () => {
  const mapping = { type: 'intent', intent: 'segunda_via', action: 'randomresponses', responses: ['Oi'] }

  test('answers to an intent, a group, a message or a payload, each with its field [C-3.58]', async () => {
    const group = await made('intentgroup', { bot, name: 'Despedidas', intents: ['tchau'] })
    for (const trigger of [
      { type: 'intent', intent: 'oi' },
      { type: 'intentgroup', intentgroup: group },
      { type: 'usermessage', usermessage: 'menu' },
      { type: 'channelpayload', channelpayload: 'MENU' },
    ]) {
      const id = await made('intentmapping', { bot, action: 'randomresponses', responses: ['Oi'], ...trigger })
      const defaults = { level: 'bot', disable_on_prompts: false }
      expect((await admin.get(`/intentmapping/${id}`)).body).toMatchObject({ ...trigger, ...defaults })
      const { type } = trigger
      const lacking = await refusedAt('intentmapping', { bot, action: 'randomresponses', responses: ['Oi'], type })
      expect(lacking).toEqual([`${type} required`])
    }
    expect(await refusedAt('intentmapping', { bot, ...mapping, level: 'task' })).toEqual(['dialogtask required'])
    expect(await refusedAt('intentmapping', { bot, ...mapping, level: 'dialog' })).toEqual(['dialog required'])
    expect(await refusedAt('intentmapping', { bot })).toEqual(['action required', 'type required'])
  })

  test('calls a task, a dialog or a handler of its bot, or answers at random, each with its target [C-3.59]', async () => {
    for (const [action, target, id] of [
      ['calltask', 'target_task', task],
      ['calldialog', 'target_dialog', dialog],
      ['callhandler', 'target_handler', handler],
    ] as const) {
      const fields = { bot, type: 'intent', intent: 'oi', action }
      expect(await refusedAt('intentmapping', fields)).toEqual([`${target} required`])
      const row = await made('intentmapping', { ...fields, [target]: id })
      expect((await admin.get(`/intentmapping/${row}`)).body).toMatchObject({ action, [target]: id })
    }
    const random = { bot, type: 'intent', intent: 'oi', action: 'randomresponses' }
    expect(await refusedAt('intentmapping', random)).toEqual(['responses required'])
    const elsewhere = { bot, type: 'intent', intent: 'oi', action: 'calldialog', target_dialog: other.dialog }
    expect(await refusedAt('intentmapping', elsewhere)).toEqual(['target_dialog reference'])
  })

  test('forgets the target of the action that it no longer has, and holds the one it has [C-3.59]', async () => {
    const id = await made('intentmapping', {
      bot,
      type: 'intent',
      intent: 'oi',
      action: 'calldialog',
      target_dialog: dialog,
    })
    const used = await admin.delete(`/dialog/${dialog}`, { confirm: 'CONFIRM' })
    expect(used).toMatchObject({ status: 409, body: { code: 'entity.used' } })
    await admin.patch(`/intentmapping/${id}`, { action: 'randomresponses', responses: ['Oi'] }, 1)
    expect((await admin.get(`/intentmapping/${id}`)).body).toMatchObject({ target_dialog: null, responses: ['Oi'] })
  })
})

describe('messages', () => {
  const text = { locale: 'pt', namespace: 'saudacao', code: 'ola', message: 'Olá' }

  test('are unique by locale, namespace and code, in a level and in a bot apart [C-3.45] [C-3.46]', async () => {
    const id = await made('localemessage', text)
    expect((await admin.get(`/localemessage/${id}`)).body).toMatchObject({ ...text, enabled: true })
    for (const taken of [text, { ...text, code: 'OLA', message: 'outra' }])
      expect(await admin.post('/localemessage', taken)).toMatchObject({
        status: 409,
        body: { code: 'entity.name.taken' },
      })
    await made('localemessage', { ...text, locale: 'en' })
    await made('localemessage', { ...text, namespace: null })
    await made('botspecificlocalemessage', { bot, ...text, message: 'Oi da loja' })
    await made('botspecificlocalemessage', { bot: other.bot, ...text })
    expect((await admin.post('/botspecificlocalemessage', { bot, ...text })).status).toBe(409)
  })

  test('are in a locale that the store supports, with a code and a text [C-1.07] [C-5.07]', async () => {
    expect(await refusedAt('localemessage', { ...text, locale: 'es' })).toEqual(['locale option'])
    expect(await refusedAt('localemessage', {})).toEqual(['code required', 'locale required', 'message required'])
    expect(await refusedAt('bot', { name: 'Y', defaultlocale: 'es' })).toEqual(['defaultlocale option'])
  })
})
