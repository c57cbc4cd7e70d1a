import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pathsOf } from '#domain/bot-folder/bot-file.ts'
import { pull } from '#gateway/cli/bot/pull.ts'
import { push } from '#gateway/cli/bot/push.ts'
import { runTests } from '#gateway/cli/bot/run-tests.ts'
import type { Run } from '#gateway/cli/command.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { Folders, parley as program, runHere } from './parley.ts'

const folders = new Folders()
const { parley, admin } = await openAdmin()

const DIALOG = 'tasks/entrada/dialogs/recepcao.yaml'
const operators = (greeting: string) => ({
  start: plainBlock('start', 0),
  hello: { ...plainBlock('text', 90, { text: greeting }), title: 'Saudação' },
  ask: plainBlock('prompt', 180, { varname: 'nome', data: { type: 'text', text: 'Nome?' } }),
})
const links = { a: link('start', 'hello'), b: link('hello', 'ask') }
const draw = async (greeting: string) =>
  expect((await admin.put(`/dialog/${dialog}/flow`, { operators: operators(greeting), links })).status).toBe(200)
const testOf = (bots: string) =>
  JSON.stringify({
    ...{ format: 'parley-test', version: 1, name: 'Saúda', given: { task: 'Entrada' } },
    steps: [{ user: 'oi' }, { bot: bots }, { bot: 'Nome?' }],
  })

const expires = new Date(Date.now() + 86_400_000).toISOString()
const token = String((await admin.post('/apitoken', { name: 'git', expires })).body.token)
const bot = await admin.create('bot', { name: 'Loja' })
await admin.create('variable', { bot, name: 'nome' })
const task = await admin.create('dialogtask', { name: 'Entrada', bot })
const dialog = await admin.create('dialog', { name: 'Recepção', dialogtask: task })
await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
await draw('Olá')
const handler = await admin.create('handler', { name: 'Conta', dialogtask: task })
await admin.put(`/handler/${handler}/flow`, { operators: {}, links: {}, js: 'const a = 1\nreturn a\n' })
await admin.create('conversationtest', { bot, name: 'Saúda', file: testOf('Olá') })
afterAll(async () => {
  folders.clear()
})

const run = (command: Run, folder: string, options: Readonly<Record<string, string | boolean>> = {}) =>
  runHere(command, { operands: [folder], options: { url: parley.origin, ...options } }, { PARLEY_TOKEN: token })
const pulled = async (): Promise<string> => {
  const folder = folders.next()
  const ran = await run(pull, folder, { bot })
  expect(ran).toMatchObject({ code: 0, errors: '' })
  return folder
}
const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('**/*.{yaml,json}', { cwd: folder })
      .sort()
      .map(path => [path, readFileSync(join(folder, path), 'utf8')]),
  )
const edit = (folder: string, path: string, from: string, to: string) => {
  const text = readFileSync(join(folder, path), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, path), text.replace(from, to))
}
const greeting = async () =>
  ((await admin.get(`/dialog/${dialog}/flow`)).body as unknown as { operators: ReturnType<typeof operators> }).operators
    .hello.properties.text

test('a bot is a folder with a readable file per dialog, equal after a push and another pull [P-2861]', async () => {
  const folder = await pulled()
  const before = contentOf(folder)
  expect(Object.keys(before)).toEqual([
    'bot.yaml',
    'parley.lock.json',
    DIALOG,
    'tasks/entrada/handlers/conta.yaml',
    'tasks/entrada/task.yaml',
    'tests/sauda.yaml',
    'variables/nome.yaml',
  ])
  expect(before[DIALOG]).toBe(`id: ${dialog}
name: Recepção
blocks:
  ask:
    type: prompt
    title: prompt
    properties:
      data:
        text: Nome?
        type: text
      varname: nome
  hello:
    type: text
    title: Saudação
    properties:
      text: Olá
  start:
    type: start
    title: start
    properties: {}
links:
  - { fromOperator: hello, fromConnector: output_1, fromSubConnector: 0, toOperator: ask, toConnector: input_1, toSubConnector: 0 }
  - { fromOperator: start, fromConnector: output_1, fromSubConnector: 0, toOperator: hello, toConnector: input_1, toSubConnector: 0 }
layout:
  ask: { top: 180, left: 0 }
  hello: { top: 90, left: 0 }
  start: { top: 0, left: 0 }
`)
  expect(before['tasks/entrada/handlers/conta.yaml']).toContain('js: |\n  const a = 1\n  return a\n')
  expect(await run(push, folder, { yes: true })).toMatchObject({ code: 0, output: 'The server has all of it.\n' })
  edit(folder, DIALOG, 'text: Olá', 'text: |-\n        Bom dia.\n        Tudo bem?')
  const pushed = await run(push, folder, { yes: true })
  expect(pushed).toMatchObject({ code: 0, errors: '' })
  expect(pushed.output).toContain('~ dialog "Recepção"\n    ~ block Saudação\n')
  expect(await greeting()).toBe('Bom dia.\nTudo bem?')
  const after = contentOf(folder)
  await run(pull, folder)
  expect(contentOf(folder)).toEqual(after)
  expect(contentOf(await pulled())).toEqual(after)
  await draw('Olá')
  await run(pull, folder)
  expect(contentOf(folder)).toEqual(before)
})

test('a file has one thing, also when one is named like the file of another [P-2497]', () => {
  const named = (id: string, name: string) => ({ entity: 'variable' as const, id, fields: { name } })
  const ids = ['11111111-aaaaaaaa', '22222222-bbbbbbbb']
  const things = [
    ...ids.map(id => named(id, 'Nome')),
    named('3', 'nome aaaaaaaa'),
    named('4', '../../outra'),
    named('5', 'CON'),
  ]
  expect([...pathsOf(things).values()]).toEqual([
    'variables/nome_11111111-aaaaaaaa.yaml',
    'variables/nome-bbbbbbbb.yaml',
    'variables/nome-aaaaaaaa.yaml',
    'variables/outra.yaml',
    'variables/con_.yaml',
  ])
})

test('push shows per dialog what would change and what stops its publishing, and changes nothing without --yes [P-2862]', async () => {
  const folder = await pulled()
  edit(
    folder,
    DIALOG,
    'varname: nome',
    'varname: nome\n  lost:\n    type: subdialog\n    title: Vai\n    properties: { subScenario: gone }',
  )
  edit(folder, 'variables/nome.yaml', 'scope: dialog', 'scope: user')
  rmSync(join(folder, 'tests/sauda.yaml'))
  const shown = await run(push, folder)
  expect(shown.code).toBe(3)
  expect(shown.output).toContain('~ variable "nome"\n    fields: scope\n')
  expect(shown.output).toMatch(/~ dialog "Recepção"\n {4}\+ block Vai\n {4}! stops publishing: .*Vai/)
  expect(shown.output).toContain('- conversationtest "Saúda"\n')
  const { changes, pushed } = JSON.parse((await run(push, folder, { json: true })).output)
  expect(pushed).toBe(false)
  expect(changes).toMatchObject([
    { entity: 'variable', state: 'changed', fields: ['scope'] },
    { entity: 'dialog', id: dialog, path: DIALOG, blocks: { added: ['Vai'], changed: [], removed: [] }, links: 0 },
    { entity: 'conversationtest', state: 'removed' },
  ])
  expect(contentOf(await pulled())[DIALOG]).not.toContain('Vai')
})

test('push over newer changes of the server is refused with their names, and pull keeps both sides apart [P-2863]', async () => {
  const folder = await pulled()
  edit(folder, DIALOG, 'text: Olá', 'text: Oi')
  await draw('Boa tarde')
  const other = await admin.create('dialog', { name: 'Alheia', dialogtask: task })
  const mine = contentOf(folder)
  for (const [command, options] of [
    [push, { yes: true }],
    [pull, {}],
  ] as const) {
    const { code, errors } = await run(command, folder, options)
    expect(errors).toContain('dialog "Recepção" was changed on the server\n')
    expect(errors).not.toContain('Alheia')
    expect(code).toBe(4)
  }
  expect(contentOf(folder)).toEqual(mine)
  expect(await greeting()).toBe('Boa tarde')
  expect((await run(pull, folder, { force: true })).code).toBe(0)
  expect(readFileSync(join(folder, DIALOG), 'utf8')).toContain('text: Boa tarde')
  expect(existsSync(join(folder, dirname(DIALOG), 'alheia.yaml'))).toBe(true)
  edit(folder, DIALOG, 'Boa tarde', 'Olá')
  await admin.patch(`/dialog/${other}`, { description: 'de outra pessoa' }, 1)
  expect(await run(pull, folder)).toMatchObject({
    code: 0,
    output: expect.stringContaining('changes of the folder kept: 1'),
  })
  expect(await run(push, folder, { yes: true })).toMatchObject({ code: 0 })
  expect(await greeting()).toBe('Olá')
  await admin.delete(`/dialog/${other}`)
})

test('a push keeps a dialog that was added on the server since the pull [P-2863]', async () => {
  const folder = await pulled()
  const other = await admin.create('dialog', { name: 'Recente', dialogtask: task })
  edit(folder, 'bot.yaml', 'name: Loja', 'name: Loja\ndescription: Vende')
  for (let time = 0; time < 2; time++) expect((await run(push, folder, { yes: true })).code).toBe(0)
  expect((await admin.get(`/dialog/${other}`)).status).toBe(200)
  expect((await admin.get(`/bot/${bot}`)).body).toMatchObject({ description: 'Vende' })
  await run(pull, folder)
  rmSync(join(folder, dirname(DIALOG), 'recente.yaml'))
  expect((await run(push, folder, { yes: true })).code).toBe(0)
  expect((await admin.get(`/dialog/${other}`)).status).toBe(404)
})

test('another copy of the deployed folder is the base of a push that follows it [P-2863]', async () => {
  const folder = await pulled()
  edit(folder, DIALOG, 'text: Olá', 'text: Primeira')
  const deployed = folders.next()
  cpSync(folder, deployed, { recursive: true })
  const second = folders.next()
  cpSync(folder, second, { recursive: true })
  expect((await run(push, folder, { yes: true })).code).toBe(0)
  edit(second, DIALOG, 'text: Primeira', 'text: Segunda')
  expect((await run(push, second, { yes: true })).code).toBe(4)
  expect((await run(push, second, { yes: true, base: deployed })).code).toBe(0)
  expect(await greeting()).toBe('Segunda')
  await draw('Olá')
})

test('files without an id become a task, a dialog and a test, which get theirs [P-2864]', async () => {
  const folder = await pulled()
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  put('tasks/nova/task.yaml', 'name: Nova\n')
  put('tasks/nova/dialogs/primeira.yaml', 'name: Primeira\nblocks:\n  start:\n    type: start\n    title: início\n')
  const pushed = await run(push, folder, { yes: true })
  expect(pushed).toMatchObject({ code: 0, errors: '' })
  expect(pushed.output).toContain('+ dialogtask "Nova"\n+ dialog "Primeira"\n    + block início\n')
  const written = contentOf(folder)
  expect(written['tasks/nova/dialogs/primeira.yaml']).toMatch(/^id: \S+\nname: Primeira\n/)
  expect(contentOf(await pulled())).toEqual(written)
  renameSync(join(folder, 'tasks/nova'), join(folder, 'velha'))
  expect((await run(push, folder, { yes: true })).code).toBe(0)
  expect(contentOf(await pulled())['tasks/nova/task.yaml']).toBeUndefined()
})

/** Writes of this process are cut off from the `at`-th on; with `isLost` the server gets that one, and its answer is lost. */
const cutOff = async <T>(at: number, isLost: boolean, work: () => Promise<T>): Promise<T> => {
  const { fetch } = globalThis
  let writes = 0
  globalThis.fetch = async (url, init) => {
    if (init?.method !== 'GET' || writes > at) writes += 1
    if (isLost && writes === at + 1) await fetch(url, init)
    if (writes > at) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
    return fetch(url, init)
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = fetch
  }
}

test('the same push again makes the rest of one that was cut off, and makes nothing twice [P-2793]', async () => {
  const countOf = async (entity: string, name: string) => {
    const { items } = (await admin.get(`/${entity}?search=${encodeURIComponent(name)}&size=50`)).body
    return items.filter(row => row.name === name).length
  }
  let isWhole = false
  for (let round = 0; !isWhole; round += 1) {
    const folder = await pulled()
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const name = `Corte ${round}`
    put(`tasks/corte-${round}/task.yaml`, `name: ${name}\n`)
    put(
      `tasks/corte-${round}/dialogs/novo.yaml`,
      `name: Novo ${round}\nblocks:\n  start:\n    type: start\n    title: início\n`,
    )
    const file = readFileSync(join(folder, DIALOG), 'utf8')
    const described = file.replace(
      /^name: Recepção\n(?:description: .*\n)?/mu,
      `name: Recepção\ndescription: ${name}\n`,
    )
    writeFileSync(join(folder, DIALOG), described.replace(/text: Olá.*/u, `text: Olá ${round}`))
    // As if the process were killed: nothing of the first push stays in the folder.
    const killed = folders.next()
    cpSync(folder, killed, { recursive: true })
    const first = await cutOff(Math.floor(round / 2), round % 2 === 1, () => run(push, killed, { yes: true }))
    // The request after the last change runs the gating tests.
    isWhole = !/^Stopped: \d of 3 changes were made\./u.test(first.errors)
    const again = await run(push, folder, { yes: true })
    expect(again, `round ${round}`).toMatchObject({ code: 0, errors: '' })
    expect(await countOf('dialogtask', name)).toBe(1)
    expect(await countOf('dialog', `Novo ${round}`)).toBe(1)
    expect(contentOf(await pulled())).toEqual(contentOf(folder))
    // The folder of the first push agrees as well.
    expect(await run(push, killed, { yes: true }), `round ${round}`).toMatchObject({
      code: 0,
      output: 'The server has all of it.\n',
    })
    rmSync(join(folder, `tasks/corte-${round}`), { recursive: true })
    expect((await run(push, folder, { yes: true })).code).toBe(0)
    expect(round).toBeLessThan(20)
    if (isWhole) expect(round).toBeGreaterThanOrEqual(10)
  }
  const folder = await pulled()
  const file = readFileSync(join(folder, DIALOG), 'utf8')
  writeFileSync(join(folder, DIALOG), file.replace(/^description: .*\n/mu, '').replace(/text: Olá.*/u, 'text: Olá'))
  expect((await run(push, folder, { yes: true })).code).toBe(0)
})

test('a push overwrites no dialog of the same name that another person drew [P-2793]', async () => {
  const folder = await pulled()
  const theirs = await admin.create('dialog', { name: 'Dela', dialogtask: task })
  await admin.put(`/dialog/${theirs}/flow`, { operators: operators('dela'), links: {} })
  const path = join(folder, dirname(DIALOG), 'minha.yaml')
  writeFileSync(path, 'name: Dela\nblocks:\n  start:\n    type: start\n    title: início\n')
  const refused = await run(push, folder, { yes: true })
  expect(refused.code).not.toBe(0)
  expect(refused.errors).toContain('Stopped: 0 of 1')
  const { body } = await admin.get(`/dialog/${theirs}/flow`)
  expect(JSON.stringify(body)).toContain('dela')
  await admin.delete(`/dialog/${theirs}`)
})

test('--publish also publishes what an earlier push had pushed and not published [P-2794]', async () => {
  const flowrevision = (await admin.get(`/dialog/${dialog}/flow`)).headers.get('etag')?.replaceAll('"', '')
  const published = await admin.post(`/dialog/${dialog}/publish`, { flowrevision: Number(flowrevision) })
  expect(published.status, published.text).toBe(200)
  const folder = await pulled()
  edit(folder, DIALOG, 'title: Saudação', 'title: Cumprimento')
  expect((await run(push, folder, { yes: true })).code).toBe(0)
  const shown = await run(push, folder, { publish: true })
  expect(shown).toMatchObject({ code: 3, output: expect.stringContaining('> dialog "Recepção" is published') })
  expect((await admin.get(`/dialog/${dialog}`)).body.modified).toBe(true)
  expect(await run(push, folder)).toMatchObject({ code: 0, output: 'The server has all of it.\n' })
  expect((await run(push, folder, { yes: true, publish: true })).code).toBe(0)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ published: true, modified: false })
  edit(folder, DIALOG, 'title: Cumprimento', 'title: Saudação')
  expect((await run(push, folder, { yes: true, publish: true })).code).toBe(0)
})

test('test runs the conversation tests on the server and fails with them; --publish meets the gate [P-2865]', async () => {
  const folder = await pulled()
  const good = await run(runTests, folder)
  expect(good).toMatchObject({ code: 0, errors: '' })
  expect(good.output).toMatch(/^ok {4}Saúda \(\d+ ms\)\n1 passed, 0 failed\n$/)
  edit(folder, DIALOG, 'text: Olá', 'text: Oi')
  const shown = await run(push, folder, { yes: true })
  expect(shown.code).toBe(0)
  expect(shown.output).toContain('! FAIL  Saúda')
  const failed = await run(runTests, folder)
  expect(failed.code).toBe(1)
  expect(failed.output).toContain('FAIL  Saúda: message in step 2')
  expect(failed.output).toContain('expected "Olá"\n')
  expect(failed.output).toContain('got      "Oi"\n0 passed, 1 failed')
  expect(JSON.parse((await run(runTests, folder, { json: true })).output)).toMatchObject({ passed: 0, failed: 1 })
  edit(folder, DIALOG, 'text: Oi', 'text: Opa')
  const gated = await run(push, folder, { yes: true, publish: true })
  expect(gated.code).toBe(1)
  expect(gated.output).toContain('"Recepção" was not published: ')
  edit(folder, DIALOG, 'text: Opa', 'text: Olá')
  expect((await run(push, folder, { yes: true, publish: true })).code).toBe(0)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ published: true, modified: false })
})

test('the rights of the token count, and a fault is one line with its place [P-2866] [P-2797]', async () => {
  const folder = await pulled()
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const scopes = ['bot', 'variable', 'variableschema', 'dialogtask', 'dialog', 'handler', 'conversationtest']
  const fields = { name: 'lê', expires, scopes: scopes.map(name => `read${name}`) }
  const reader = join(folder, '..', 'token')
  writeFileSync(reader, `${(await admin.post('/apitoken', fields)).body.token}\n`)
  edit(folder, DIALOG, 'text: Olá', 'text: Oi')
  const options = { url: parley.origin, yes: true, 'token-file': reader }
  const refused = await runHere(push, { operands: [folder], options })
  expect(refused.code).toBe(1)
  expect(refused.errors).toBe('Nothing was pushed. The token lacks: updatedialog.')
  expect(await greeting()).toBe('Olá')
  const warned = await runHere(runTests, { operands: [folder], options: { url: parley.origin, token } })
  expect(warned.errors).toContain('Warning: other users of this machine see a token on the command line.')
  const wrong = await runHere(pull, { operands: [folder], options: { url: parley.origin } }, { PARLEY_TOKEN: 'prl_no' })
  expect(wrong).toMatchObject({ code: 1, output: '' })
  expect(await runHere(pull, { operands: [folder], options: { url: parley.origin } })).toMatchObject({ code: 2 })
  // [P-2046] The password of an address is not repeated.
  const named = { url: parley.origin.replace('//', '//ana:planted@'), token }
  const told = await runHere(pull, { operands: [folder], options: named })
  expect(told).toMatchObject({ code: 2, errors: expect.stringContaining('The address may hold no name or password') })
  expect(told.errors).not.toContain('planted')
  edit(folder, DIALOG, '  hello:\n', '  hello: [\n')
  expect((await run(push, folder)).errors).toMatch(/^tasks\/entrada\/dialogs\/recepcao\.yaml: .* line \d+/)
  edit(folder, DIALOG, '  hello: [\n', '  hello:\n')
  edit(folder, DIALOG, 'toOperator: ask', 'toOperator: [ask]')
  expect((await run(push, folder)).errors).toContain('recepcao.yaml: links.0.toOperator: must be a string or a number')
})

test('the program itself answers with the exit codes [P-2866]', async () => {
  const folder = await pulled()
  const env = { PARLEY_TOKEN: token, PARLEY_URL: parley.origin }
  edit(folder, DIALOG, 'text: Olá', 'text: Oi')
  expect(await program(['push', folder], env)).toMatchObject({ code: 3, errors: '' })
})
