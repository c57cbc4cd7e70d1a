import { afterAll, describe, expect, test } from 'vitest'
import { itemsOf } from '#domain/field/stored-items.ts'
import { setScript } from '#domain/flow/document/edit.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { isFull } from '#test/fixture/full.ts'
import { dyingStore, PowerCut } from '../fixture/memory-store.ts'
import { caller, openWorkbench, versionFile, type Workbench } from '../fixture/workbench.ts'
import { changeFlow } from '../flow/flow-change.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

const CONFIRM = { confirm: 'CONFIRM' }
const flowOf = (...titles: readonly string[]): JsonObject => ({
  format: 'parley-flow',
  version: 1,
  operators: Object.fromEntries(
    titles.map((title, index) => [
      `b${index}`,
      { type: 'marker', title, top: index * 100, left: 0, properties: { inputs: {}, outputs: {} } },
    ]),
  ),
  links: {},
})
const make = async (entity: string, input: Parameters<Workbench['must']>[3]) =>
  (await bench.must(entity, 'create', '', input)).id

const drawScript = async (handler: string, script: string) => {
  const seed = `js-${handler}-${script}`
  const author = { seed, actor: 'ana', time: new Date().toISOString(), correlation: 'c', causation: null }
  await changeFlow(bench.handler.flows, handler, author, doc => setScript(doc, script, 'test'))
}

const aBot = async (name: string) => {
  const bot = await make('bot', { name, description: 'antes' })
  const task = await make('dialogtask', { name: 'Reserva', bot })
  const first = await make('dialog', { name: 'Primeiro', dialogtask: task })
  const second = await make('dialog', { name: 'Segundo', dialogtask: task })
  const handler = await make('handler', { name: 'Preço', dialogtask: task })
  await make('variable', { name: 'quarto', bot })
  await bench.must('dialog', 'importflow', first, { flow: flowOf('a', 'b') })
  await bench.must('dialogtask', 'change', task, { principaldialog: first }, { revision: 1 })
  await bench.must('bot', 'change', bot, { defaultdialogtask: task }, { revision: 1 })
  await drawScript(handler, 'return 1')
  return { bot, task, first, second, handler }
}

/** Everything of a bot that a version carries, without name and description of the version itself. */
const stateOf = async (bot: string): Promise<JsonObject & Pick<VersionFile, 'bot'>> => {
  const id = await make('version', { bot, name: 'Estado' })
  const file = await versionFile(bench.handler, id)
  if (file === undefined) throw new Error('no content')
  const { name: _name, description: _description, ...state } = file
  return state
}

const previewOf = async (id: string) => {
  const opened = await bench.handler.versionPreview(id, caller())
  return opened?.ok ? opened.value.preview : undefined
}

const ruin = async ({ bot, task, first, second, handler }: Awaited<ReturnType<typeof aBot>>) => {
  await bench.must('dialog', 'importflow', first, { flow: flowOf('x') })
  await bench.must('dialog', 'remove', second, CONFIRM)
  await bench.must('dialog', 'change', first, { name: 'Segundo' }, {})
  await make('dialog', { name: 'Primeiro', dialogtask: task })
  await bench.must('handler', 'remove', handler, CONFIRM)
  await make('dialogtask', { name: 'Nova', bot })
  await bench.must('bot', 'change', bot, { description: 'depois', defaultdialogtask: null }, {})
}

test('a version holds the whole bot without secrets, where it was taken, and is the latest', async () => {
  const { bot, task, first } = await aBot('Completo')
  const id = await make('version', { bot, name: 'v1', description: 'primeira' })
  const file = await versionFile(bench.handler, id)
  expect(file).toMatchObject({
    format: 'parley-version',
    version: 1,
    name: 'v1',
    description: 'primeira',
    bot: { name: 'Completo', description: 'antes', defaultdialogtask: task },
    dialogtasks: [
      {
        name: 'Reserva',
        principaldialog: first,
        dialogs: [{ name: 'Primeiro', flow: flowOf('a', 'b') }, { name: 'Segundo' }],
        handlers: [{ name: 'Preço', js: 'return 1' }],
      },
    ],
    variables: [{ name: 'quarto' }],
    variableschemas: [],
  })
  const next = await make('version', { bot, name: 'v2' })
  const latest = async (version: string) =>
    (await bench.events(`version-${version}`)).map(({ data }) => (data.fields as JsonObject).latest)
  expect([await latest(id), await latest(next)]).toEqual([[true, false], [true]])
  expect((await bench.events(`version-${next}`))[0]?.data.fields).toMatchObject({
    uploaded: false,
    position: expect.any(String),
    size: expect.any(Number),
  })
})

describe('the latest version of a bot', () => {
  const latest = async (bot: string): Promise<string[]> => {
    const versions = await bench.lookup.children('bot', bot, 'version')
    const told = await Promise.all(versions.map(version => bench.events(`version-${version}`)))
    const states = told.map(events => Object.assign({}, ...events.map(({ data }) => data.fields)) as JsonObject)
    return states.flatMap(({ latest, name }) => (latest === true ? [String(name)] : []))
  }

  test('stays unique after a kill at any write, once the next start finishes it', async () => {
    const bot = await make('bot', { name: 'Morre ao guardar' })
    await make('version', { bot, name: 'v0' })
    let newest = 'v0'
    for (let appends = 1; ; appends += 1) {
      const name = `v${appends}`
      const dying = bench.again({ store: dyingStore(bench.store, appends, appends % 2 === 0) })
      const died = await mustWith(dying, { bot, name }).then(
        () => false,
        error => error instanceof PowerCut,
      )
      await bench.again().resumeProcesses()
      const [now, ...others] = await latest(bot)
      expect(others).toEqual([])
      expect([newest, name]).toContain(now)
      newest = now ?? ''
      if (died) continue
      expect(newest).toBe(name)
      expect(appends).toBeGreaterThan(4)
      break
    }
  })

  test('is one of those that were made at once', async () => {
    const bot = await make('bot', { name: 'Ao mesmo tempo' })
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map(name => mustWith(bench.again(), { bot, name })))
    expect(await latest(bot)).toHaveLength(1)
  })
})

describe('applying', () => {
  test('needs CONFIRM, keeps the present state, and makes everything what it was', async () => {
    const parts = await aBot('Volta')
    const before = await stateOf(parts.bot)
    const id = await make('version', { bot: parts.bot, name: 'v1' })
    await ruin(parts)
    const ruined = await stateOf(parts.bot)
    expect(await bench.run('version', 'apply', id)).toMatchObject({ refusal: { code: 'validation.confirm' } })
    await bench.must('version', 'apply', id, CONFIRM)
    expect(await stateOf(parts.bot)).toEqual(before)
    const kept = await bench.lookup.children('bot', parts.bot, 'version')
    const files = await Promise.all(kept.map(version => versionFile(bench.handler, version)))
    const held = files.find(file => file?.name.includes('↩'))
    expect(held?.dialogtasks).toEqual(ruined.dialogtasks)
    const [last] = (await bench.events(`flow-${parts.first}`)).slice(-1)
    expect(last?.data.source).toEqual({ kind: 'version', version: id })
    expect((await bench.events(`version-${id}`)).at(-1)?.type).toBe('VersionApplied')
  })

  test('shows beforehand what it would change', async () => {
    const parts = await aBot('Prévia')
    const id = await make('version', { bot: parts.bot, name: 'v1' })
    expect(await previewOf(id)).toEqual({ things: [], stays: [] })
    await bench.must('dialog', 'importflow', parts.first, { flow: flowOf('a', 'c', 'd') })
    await bench.must('dialog', 'remove', parts.second, CONFIRM)
    const extra = await make('dialog', { name: 'Extra', dialogtask: parts.task })
    await bench.must('bot', 'change', parts.bot, { description: 'depois' }, {})
    const { things = [] } = (await previewOf(id)) ?? {}
    expect(things.map(({ entity, name, state }) => [entity, name, state])).toEqual([
      ['bot', 'Prévia', 'changed'],
      ['dialog', 'Primeiro', 'changed'],
      ['dialog', 'Segundo', 'added'],
      ['dialog', 'Extra', 'removed'],
    ])
    expect(things[0]?.changes).toEqual([{ path: 'description', before: 'depois', after: 'antes' }])
    expect(things[1]).toMatchObject({
      within: ['Reserva'],
      summary: {
        changed: [{ id: 'b1', title: 'b', fields: expect.arrayContaining(['title']) }],
        removed: [{ id: 'b2', title: 'd' }],
      },
    })
    expect(things[3]?.id).toBe(extra)
  })

  test('two dialogs that swapped their names get them back', async () => {
    const { bot, first, second } = await aBot('Troca')
    const id = await make('version', { bot, name: 'v1' })
    await bench.must('dialog', 'change', first, { name: 'Temporário' }, {})
    await bench.must('dialog', 'change', second, { name: 'Primeiro' }, {})
    await bench.must('dialog', 'change', first, { name: 'Segundo' }, {})
    await bench.must('version', 'apply', id, CONFIRM)
    const nameOf = async (dialog: string) => {
      const events = await bench.events(`dialog-${dialog}`)
      return events.flatMap(({ data }) => (data.fields as JsonObject).name ?? []).at(-1)
    }
    expect([await nameOf(first), await nameOf(second)]).toEqual(['Primeiro', 'Segundo'])
  })

  test('killed at any write it is finished by the next start', async () => {
    let deaths = 0
    for (let appends = 1; ; appends += isFull ? 2 : 10) {
      const parts = await aBot(`Morre ${appends}`)
      const before = await stateOf(parts.bot)
      const id = await make('version', { bot: parts.bot, name: 'v1' })
      await ruin(parts)
      const dying = bench.again({ store: dyingStore(bench.store, appends, appends % 4 === 1) })
      const command = { entity: 'version', action: 'apply', id, input: CONFIRM, caller: caller(), correlation: 'c' }
      const died = await dying.execute(command).then(
        () => false,
        error => error instanceof PowerCut,
      )
      if (!died) break
      deaths += 1
      const begun = (await bench.events(`process-${parts.bot}`)).length > 0
      await bench.again().resumeProcesses()
      if (begun) {
        const after = bench.again()
        const { id: version } = await mustWith(after, { bot: parts.bot, name: 'Estado' })
        const { name: _name, description: _description, ...state } = (await versionFile(after, version)) ?? { name: '' }
        expect(state).toEqual(before)
      }
    }
    expect(deaths).toBeGreaterThan(isFull ? 15 : 2)
  }, 120_000)
})

const mustWith = async (commands: ReturnType<Workbench['again']>, input: JsonObject) => {
  const command = { entity: 'version', action: 'create', id: '', input, caller: caller(), correlation: 'c' }
  const outcome = await commands.execute(command)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal))
  return outcome
}

describe('uploading', () => {
  test('a file taken from one bot makes another the same, under its own ids', async () => {
    const { bot } = await aBot('Origem')
    const file = (await stateOf(bot)) as JsonObject
    const target = await make('bot', { name: 'Destino' })
    const { id } = await bench.must('version', 'upload', '', { bot: target, file: { ...file, name: 'vinda' } })
    await bench.must('version', 'apply', id, CONFIRM)
    const applied = await stateOf(target)
    expect(applied.bot.name).toBe('Destino')
    const [task] = itemsOf(applied.dialogtasks)
    expect(task?.principaldialog).toBe(itemsOf(task?.dialogs)[0]?.id)
    expect(applied.bot.defaultdialogtask).toBe(task?.id)
    expect(itemsOf(task?.dialogs).map(({ flow }) => flow)).toEqual(
      itemsOf(itemsOf(file.dialogtasks)[0]?.dialogs).map(({ flow }) => flow),
    )
    expect(itemsOf(task?.handlers)[0]?.js).toBe('return 1')
  })

  describe('a version of another bot', () => {
    const PRODUCTION = {
      customer: 'Clínica',
      deploymentenv: 'production',
      minservicesneeded: 4,
      channel_service_endpoint: 'https://canal.example',
      botendpoint: 'https://bot.example',
      agentendpoint: 'https://agente.example',
      internal_endpoints: ['https://interno.example'],
      keepdays: 365,
    }
    const DEVELOPMENT = {
      customer: 'Oficina',
      deploymentenv: 'development',
      minservicesneeded: 1,
      channel_service_endpoint: 'https://canal.dev.example',
      botendpoint: 'https://bot.dev.example',
      agentendpoint: 'https://agente.dev.example',
      internal_endpoints: ['https://interno.dev.example'],
      keepdays: 30,
    }
    const onlyOf = async (entity: string, bot: string): Promise<JsonObject> => {
      const [id = ''] = await bench.lookup.children('bot', bot, entity)
      return fieldsAt(`${entity}-${id}`)
    }
    const fieldsAt = async (stream: string): Promise<JsonObject> =>
      Object.assign({}, ...(await bench.events(stream)).map(({ data }) => data.fields))
    const oauthOf = (host: string) => ({
      name: 'Agenda',
      grant_type: 'client_credentials',
      access_token_url: `https://${host}/token`,
      client_id: host,
      username: host,
      scope: `scope of ${host}`,
      headers: [{ name: `X-${host}`, value: host }],
    })
    const bots = async (name: string) => {
      const from = await make('bot', { name: `${name} de`, description: 'nova', ...DEVELOPMENT })
      const to = await make('bot', { name: `${name} para`, description: 'velha', ...PRODUCTION })
      await make('oauth', { bot: from, ...oauthOf('dev') })
      await make('oauth', { bot: to, ...oauthOf('prod') })
      await make('oauth', { bot: from, ...oauthOf('dev'), name: 'Pagamento' })
      await make('globalvariable', { bot: from, name: 'api', value: 'https://api.dev.example' })
      await make('globalvariable', { bot: to, name: 'api', value: 'segredo', secret: true })
      await make('globalvariable', { bot: from, name: 'loja', value: 'teste' })
      for (const [bot, app_id] of Object.entries({ [from]: 'dev', [to]: 'prod' }))
        await make('integration', { bot, map_provider: 'google', video_chat_provider: 'zoom', app_id })
      return { from, to }
    }
    const uploaded = async (from: string, to: string) => {
      const file = { ...((await stateOf(from)) as JsonObject), name: 'vinda' }
      return (await bench.must('version', 'upload', '', { bot: to, file })).id
    }

    test('leaves what belongs to the environment as it is, and says so beforehand [P-1786]', async () => {
      const { from, to } = await bots('Ambiente')
      const id = await uploaded(from, to)
      const preview = await previewOf(id)
      expect(preview?.stays.map(({ entity, name, fields }) => [entity, name, [...fields].sort()])).toEqual([
        ['bot', 'Ambiente para', Object.keys(DEVELOPMENT).sort()],
        ['globalvariable', 'api', ['secret', 'value']],
        ['globalvariable', 'loja', ['value']],
        ['integration', 'google', ['app_id']],
        ['oauth', 'Agenda', ['access_token_url', 'client_id', 'headers', 'username']],
        ['oauth', 'Pagamento', ['access_token_url', 'client_id', 'headers', 'username']],
      ])
      const changed = preview?.things.flatMap(({ entity, changes }) => changes.map(({ path }) => `${entity}.${path}`))
      expect(changed?.sort()).toEqual(['bot.description', 'oauth.scope'])
      const secretBefore = await onlyOf('globalvariable', to)

      await bench.must('version', 'apply', id, CONFIRM)

      const { bot, ...state } = await stateOf(to)
      expect(bot).toMatchObject({ ...PRODUCTION, description: 'nova' })
      expect(itemsOf(state.oauths)).toMatchObject([
        {
          name: 'Agenda',
          access_token_url: 'https://prod/token',
          client_id: 'prod',
          username: 'prod',
          scope: 'scope of dev',
        },
        { name: 'Pagamento', access_token_url: null, client_id: null, username: null, headers: [] },
      ])
      expect(itemsOf(state.oauths)[0]?.headers).toMatchObject([{ name: 'X-prod' }])
      expect(itemsOf(state.globalvariables)).toMatchObject([{ name: 'api' }, { name: 'loja', value: null }])
      expect(secretBefore).toMatchObject({ secret: true })
      expect(await onlyOf('globalvariable', to)).toMatchObject(secretBefore)
      expect(itemsOf(state.integrations)).toMatchObject([{ map_provider: 'google', app_id: 'prod' }])
    })

    test('is undone by a version of the bot itself, which brings all fields back [P-1787]', async () => {
      const { from, to } = await bots('Volta própria')
      const before = await stateOf(to)
      const own = await make('version', { bot: to, name: 'própria' })
      await bench.must('bot', 'change', to, { ...DEVELOPMENT, description: 'outra' }, {})
      const preview = await previewOf(own)
      expect(preview?.stays).toEqual([])
      expect(preview?.things[0]?.changes.map(({ path }) => path).sort()).toEqual(
        ['description', ...Object.keys(PRODUCTION)].sort(),
      )
      await bench.must('version', 'apply', own, CONFIRM)
      expect((await stateOf(to)).bot).toEqual(before.bot)
      await bench.must('version', 'apply', await uploaded(from, to), CONFIRM)
      await bench.must('version', 'apply', own, CONFIRM)
      const after = (await stateOf(to)) as JsonObject
      expect(after.oauths).toEqual((before as JsonObject).oauths)
      expect(after.bot).toEqual(before.bot)
    })

    test('leaves a bot whose versions can be downloaded and applied to it again [P-1787]', async () => {
      const { from, to } = await bots('De novo')
      await bench.must('version', 'apply', await uploaded(from, to), CONFIRM)
      const again = await uploaded(to, to)
      expect((await previewOf(again))?.things).toEqual([])
    })

    test('brings what is published there, not drafts, and publishes it [P-1788]', async () => {
      const parts = await aBot('Publicado de')
      const titlesOf = async (dialog: string, revision?: number) => {
        const { flows } = bench.handler
        const state =
          revision === undefined ? (await flows.stored(dialog)).state : await flows.storedAt(dialog, revision)
        const file = await flows.work.perform({ do: 'file', state: state ?? [], hasScript: false })
        const { operators } = JSON.parse(file) as FlowFile
        return Object.values(operators).map(({ title }) => title)
      }
      const published = await bench.must('dialog', 'publish', parts.first)
      expect(published.ok).toBe(true)
      await bench.must('handler', 'publish', parts.handler)
      await drawScript(parts.handler, 'return 2')
      await bench.must('dialog', 'importflow', parts.first, { flow: flowOf('rascunho') })
      await bench.must('dialog', 'importflow', parts.second, { flow: flowOf('nunca publicado') })
      const to = await make('bot', { name: 'Publicado para' })
      const id = await uploaded(parts.bot, to)
      const preview = await previewOf(id)
      expect(preview?.things.flatMap(({ name, publishes }) => (publishes ? [name] : []))).toEqual(['Primeiro', 'Preço'])
      const handlerOf = async (bot: string) => {
        const [task] = itemsOf(((await stateOf(bot)) as JsonObject).dialogtasks)
        return itemsOf(task?.handlers)[0]
      }
      expect(await handlerOf(parts.bot)).toMatchObject({ js: 'return 2', release: { js: 'return 1' } })
      expect(Object.keys((await handlerOf(parts.bot))?.release ?? {})).toEqual(['js'])

      await bench.must('version', 'apply', id, CONFIRM)

      const [task = ''] = await bench.lookup.children('bot', to, 'dialogtask')
      const dialogs = await bench.lookup.children('dialogtask', task, 'dialog')
      const found = await Promise.all(
        dialogs.map(async dialog => ({ dialog, fields: await fieldsAt(`dialog-${dialog}`) })),
      )
      const [first, second] = found.sort((a, b) => (String(a.fields.name) < String(b.fields.name) ? -1 : 1))
      if (first === undefined || second === undefined) throw new Error('a dialog did not come')
      expect(first.fields).toMatchObject({ name: 'Primeiro', published: true })
      expect(await titlesOf(first.dialog, Number(first.fields.publishedrevision))).toEqual(['a', 'b'])
      expect(await titlesOf(first.dialog)).toEqual(['a', 'b'])
      expect(second.fields.published).not.toBe(true)
      expect(await handlerOf(to)).toMatchObject({ js: 'return 1', release: {} })
      expect(await titlesOf(second.dialog)).toEqual(['nunca publicado'])
      expect((await previewOf(id))?.things).toEqual([])
    })

    test('needs the permission to publish what it publishes [P-1788]', async () => {
      const parts = await aBot('Sem direito de')
      await bench.must('dialog', 'publish', parts.first)
      const to = await make('bot', { name: 'Sem direito para' })
      const id = await uploaded(parts.bot, to)
      const permits = (permission: string) => permission !== 'publishdialog'
      const outcome = await bench.run('version', 'apply', id, CONFIRM, { caller: caller({ permits }) })
      expect(outcome).toMatchObject({ refusal: { code: 'access.lacking', params: { permissions: ['publishdialog'] } } })
    })
  })

  test('rejects an invalid version file with error paths', async () => {
    const bot = await make('bot', { name: 'Recusa' })
    const upload = (file: JsonObject) => bench.run('version', 'upload', '', { bot, file })
    expect(await upload({ format: 'parley-flow' })).toMatchObject({ refusal: { code: 'version.format' } })
    const bad = { format: 'parley-version', version: 1, name: 'x', bot: { name: 'y' } }
    const dialogtasks = [{ name: 't', dialogs: [{ name: 'd', flow: { operators: 1 } }] }]
    expect(await upload({ ...bad, dialogtasks })).toMatchObject({
      refusal: {
        code: 'version.format',
        errors: expect.arrayContaining([{ path: 'dialogtasks.0.dialogs.0.flow.operators', code: 'type' }]),
      },
    })
  })
})
