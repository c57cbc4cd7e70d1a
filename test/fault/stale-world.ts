import { EVERYTHING } from '#commands/people/bootstrap.ts'
import type { Caller, Command } from '#commands/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { FLOW_FORMAT, FLOW_VERSION } from '#schemas/flow/file.ts'
import type { randomOf } from '#test/realtime/random.ts'

export type Random = ReturnType<typeof randomOf>
export type Wanted = Pick<Command, 'entity' | 'action' | 'id' | 'input' | 'revision' | 'only'>
type Execute = (wanted: Wanted) => Promise<{ readonly id: string; readonly revision: number }>

export const ROOT = '00000000-0000-8000-8000-000000000001'
const BRANCH = '00000000-0000-8000-8000-000000000002'

export const everything: Caller = {
  user: 'ana',
  session: null,
  level: ROOT,
  subtree: new Set([ROOT, BRANCH]),
  permits: () => true,
}

const CONFIRM = { confirm: 'CONFIRM' }
const flowOf = (block: string): JsonObject => ({
  format: FLOW_FORMAT,
  version: FLOW_VERSION,
  operators: { [block]: { type: 'marker', title: block, top: 0, left: 0, properties: { inputs: {}, outputs: {} } } },
  links: {},
})

/** Ids of the few things that all commands are about. */
export interface World {
  readonly [kind: string]: string
}

/** Makes the things; `execute` must accept every command. */
export const makeWorld = async (execute: Execute): Promise<World> => {
  const make = async (entity: string, input: JsonObject, id = '') =>
    (await execute({ entity, action: 'create', id, input })).id
  await make('hierarchy', { name: 'Raiz' }, ROOT)
  await make('hierarchy', { name: 'Ramo', parent: ROOT }, BRANCH)
  const role = await make('role', { name: 'Papel', ...EVERYTHING })
  const usergroup = await make('usergroup', { name: 'Grupo', roles: [role] })
  const bot = await make('bot', { name: 'Bot' })
  const dialogtask = await make('dialogtask', { name: 'Tarefa', bot })
  const dialog = await make('dialog', { name: 'Diálogo', dialogtask })
  await execute({ entity: 'dialog', action: 'importflow', id: dialog, input: { flow: flowOf('a') } })
  return {
    role,
    usergroup,
    bot,
    dialogtask,
    dialog,
    handler: await make('handler', { name: 'Tratador', dialogtask }),
    variableschema: await make('variableschema', { name: 'Esquema', bot }),
    variable: await make('variable', { name: 'variavel', bot }),
    codesample: await make('codesample', { name: 'Exemplo' }),
    dialogcomment: await make('dialogcomment', { dialog, block: 'a', text: 'um' }),
    first: await make('user', { username: 'primeira', usergroup: [usergroup] }),
    second: await make('user', { username: 'segunda', usergroup: [usergroup] }),
  }
}

const oneOf = <T>(random: Random, first: T, ...others: readonly T[]): T =>
  [first, ...others][random(others.length + 1)] ?? first

/** A command about one of the things; most of them repeat what may be so already. */
export const randomCommand = (random: Random, world: World, revisionOf: (stream: string) => number): Wanted => {
  const id = (kind: string) => world[kind] ?? ''
  const about = (kind: string, action: string, input: JsonObject = {}, as = kind): Wanted => {
    const wanted = { entity: kind, action, id: id(as), input }
    const present = revisionOf(`${kind}-${id(as)}`)
    const seen = Math.max(1, present - random(3))
    if (action === 'change' && random(2) === 0) return { ...wanted, revision: seen }
    if (action !== 'change' && action !== 'restore' && random(6) === 0) return { ...wanted, only: seen }
    return wanted
  }
  const past = (kind: string, as = kind) =>
    about(kind, 'restore', { revision: 1 + random(Math.max(1, revisionOf(`${kind}-${id(as)}`))) }, as)
  const generic = (kind: string, change: JsonObject): Wanted =>
    oneOf(
      random,
      () => about(kind, 'change', change),
      () => about(kind, 'remove', CONFIRM),
      () => past(kind),
      () => past(kind),
    )()
  const drawn = (kind: 'dialog' | 'handler', change: JsonObject): Wanted =>
    oneOf(
      random,
      () => about(kind, oneOf(random, 'publish', 'unpublish')),
      () => about(kind, 'importflow', { flow: flowOf(oneOf(random, 'a', 'b')) }),
      () => about(kind, 'restoreflow', { revision: 1 + random(Math.max(1, revisionOf(`flow-${id(kind)}`))) }),
      () => generic(kind, change),
    )()
  const user = (): Wanted => {
    const as = oneOf(random, 'first', 'second')
    return oneOf(
      random,
      () => about('user', oneOf(random, 'lock', 'unlock', 'reset2fa'), {}, as),
      () => about('user', oneOf(random, 'lock', 'unlock'), {}, as),
      () => about('user', 'failsignin', { lock: random(2) === 0 }, as),
      () => about('user', 'signin', { changed: null, step: null }, as),
      () =>
        about(
          'user',
          'change',
          oneOf<JsonObject>(
            random,
            { usergroup: [id('usergroup')] },
            { usergroup: [] },
            { language: oneOf(random, 'en', 'pt') },
          ),
          as,
        ),
      () => about('user', 'remove', CONFIRM, as),
      () => past('user', as),
    )()
  }
  const text = oneOf(random, 'um', 'dois')
  return oneOf(
    random,
    user,
    user,
    () => about('usergroup', 'change', { roles: random(3) === 0 ? [] : [id('role')] }),
    () => about('role', 'change', oneOf<JsonObject>(random, { actions: [] }, EVERYTHING, EVERYTHING)),
    () => about('bot', oneOf(random, 'start', 'stop', 'restart', 'fix')),
    () => about('bot', oneOf(random, 'start', 'stop')),
    () => generic('bot', { description: text }),
    () => past('bot'),
    () => generic('dialogtask', { principaldialog: oneOf(random, id('dialog'), null) }),
    () => past('dialogtask'),
    () => about('dialogtask', 'publishall'),
    () => drawn('dialog', { description: text }),
    () => drawn('handler', { global: random(2) === 0 }),
    () => generic('variable', { schema: oneOf(random, id('variableschema'), null) }),
    () => generic('variableschema', { schemajson: { title: text } }),
    () => generic('codesample', { description: text }),
    () => generic('codesample', { name: text }),
    () => generic('dialogcomment', { text }),
    () => about('dialogcomment', oneOf(random, 'resolve', 'reopen')),
    () => ({
      entity: 'codesample',
      action: 'create',
      id: '',
      input: { name: text, hierarchylevel: oneOf(random, ROOT, BRANCH) },
    }),
    () => ({
      entity: 'dialogcomment',
      action: 'create',
      id: '',
      input: { dialog: id('dialog'), dialogcomment: id('dialogcomment'), text },
    }),
    () => ({ entity: 'variable', action: 'create', id: '', input: { name: 'outra', bot: id('bot') } }),
    () => ({ entity: 'hierarchy', action: 'remove', id: BRANCH, input: CONFIRM }),
    () => ({ entity: 'hierarchy', action: 'restore', id: BRANCH, input: { revision: 1 } }),
  )()
}
