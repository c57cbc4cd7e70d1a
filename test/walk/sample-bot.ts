import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import type { Release, ReleasedHandler, TurnSettings, VariableSetting } from '#domain/conversation/release.ts'
import { clinic } from '#runtime/sample/content/clinic.ts'
import { energy } from '#runtime/sample/content/energy.ts'
import { retail } from '#runtime/sample/content/retail.ts'
import { openSampleService } from '#runtime/sample/service/open-service.ts'
import { WEEKDAYS } from '#schemas/blocks/common-fields.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Client } from '#test/api/harness.ts'
import type { WalkService } from './outside.ts'
import { compiledFile } from './real-flow.ts'

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }

interface FlowFile {
  readonly operators: Readonly<Record<string, { readonly type: string; readonly properties: JsonObject }>>
}

/** A bot of the sample as its console shows it. */
export interface SampleBot {
  readonly row: Row
  readonly settings: TurnSettings
  readonly handlers: readonly Row[]
  /** By the id of their dialog. */
  readonly flows: ReadonlyMap<string, FlowFile>
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const variableOf = (row: Row): VariableSetting => ({
  name: row.name,
  scope: row.scope === 'conversation' || row.scope === 'user' ? row.scope : 'dialog',
  datatype: String(row.datatype),
  schema: null,
  task: textOf(row.task),
  dialog: textOf(row.dialog),
})

export const readSampleBot = async (admin: Client, search: string): Promise<SampleBot> => {
  const list = async (path: string) => (await admin.get(`${path}&size=100`)).body.items as readonly Row[]
  const [row] = await list(`/bot?search=${encodeURIComponent(search)}`)
  if (row === undefined) throw new Error(`the sample has no bot ${search}`)
  const tasks = await list(`/dialogtask?bot=${row.id}`)
  const within = async (entity: string) =>
    (await Promise.all(tasks.map(({ id }) => list(`/${entity}?dialogtask=${id}`)))).flat()
  const dialogs = await within('dialog')
  const flows = await Promise.all(
    dialogs.map(async ({ id }) => [id, (await admin.get(`/dialog/${id}/flow`)).body as unknown as FlowFile] as const),
  )
  const settings = settingsWith({
    defaultTask: textOf(row.defaultdialogtask),
    fallbackTask: textOf(row.fallbacktask),
    afterAgentTask: textOf(row.on_return_from_agent_execute_task),
    agentEnabled: row.agentenabled === true,
    tasks: new Map(
      tasks.map(({ id, name, principaldialog }) => [
        id,
        { id, name, principal: textOf(principaldialog), utterances: [] },
      ]),
    ),
    variables: (await list(`/variable?bot=${row.id}`)).map(variableOf),
  })
  return { row, settings, handlers: await within('handler'), flows: new Map(flows) }
}

const RECORDS = 'https://prontuario.valeclaro.example/v2'
/** Long enough for a busy machine: silence is awaited as long. */
const TIMEOUT_MS = 3_000

const ALWAYS = { startTime: '00:00', endTime: '23:59', holidayTypes: [], specificHolidaysMenu: false }
const week = (closed: boolean): JsonObject =>
  Object.fromEntries(WEEKDAYS.map(day => [day, { closed, startTime: '', endTime: '' }]))

/** A flow with its services at `origin`, under the names of their hosts, and with hours that never end or never begin. */
export const walkedFlow = (file: FlowFile, origin: string, isOpen: boolean): FlowFile => {
  const changed = (type: string, properties: JsonObject): JsonObject => {
    if (type === 'workinghour') return { ...properties, ...ALWAYS, hours: week(!isOpen) }
    if (type !== 'restservice') return properties
    const url = String(properties.url).replace('{{endereco_prontuario}}', RECORDS)
    return { ...properties, url: url.replace('https:/', origin), retries: 0, timeout: TIMEOUT_MS }
  }
  const operators = Object.entries(file.operators).map(
    ([id, operator]) => [id, { ...operator, properties: changed(operator.type, operator.properties) }] as const,
  )
  return { ...file, operators: Object.fromEntries(operators) }
}

const nobody = (entity: string, key: string) => `${entity} ${key}`
/** The newest code of each handler by the handler's name. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  [clinic(nobody), energy(nobody), retail(nobody)].flatMap(({ deeds, written }) =>
    written.map(({ key, drafts }) => {
      const made = deeds.find(deed => deed.entity === 'handler' && deed.action === 'create' && deed.key === key)
      return [String(made?.input.name), drafts.at(-1)?.code ?? ''] as const
    }),
  ),
)

export const releaseOfSample = ({ handlers }: SampleBot, flows: ReadonlyMap<string, FlowFile>): Release => ({
  dialogs: new Map([...flows].map(([id, file]) => [id, compiledFile(id, file)])),
  handlers: new Map(
    handlers.map(({ id, name }): [string, ReleasedHandler] => [
      id,
      { id, name, revision: 1, source: SOURCES.get(name) ?? '', slow: false },
    ]),
  ),
})

/** The sample's own services, by the name of the host at the beginning of a path. */
export const sampleService = (): WalkService => {
  const answerOf = openSampleService()
  return ({ method, path, body }) => {
    const answer = answerOf({ method, url: `https:/${path}`, headers: [], body, timeout: TIMEOUT_MS, most: 1_000_000 })
    if (answer === undefined) return { status: 404, body: null }
    return { status: answer.status, body: JSON.parse(new TextDecoder().decode(answer.body)) as Json }
  }
}
