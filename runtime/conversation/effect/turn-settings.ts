import type {
  MappingSetting,
  MappingTarget,
  TaskSetting,
  TurnSettings,
  VariableSetting,
} from '#domain/conversation/release.ts'
import { PARSERS, PATH_PARSERS } from '#domain/expression/engine.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { parseJsonField, record, stringsOf, textOf } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/conversation.json' with { type: 'json' }
import es from '#schemas/locales/es/conversation.json' with { type: 'json' }
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import { singleId } from '#schemas/versioned.ts'
import type { Nlu } from '../../nlu/open-nlu.ts'
import { responsesForBot } from '../../nlu/understand-for-bot.ts'
import { globalVariables } from './global-variables.ts'

const DEFAULTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, es, pt }

const isLanguage = (locale: string): locale is Language => Object.hasOwn(DEFAULTS, locale)

/** Codes of one bot, including those of its levels. */
const MAX_CODES = 10_000

/** Standard messages of a bot in a language: from its locale, else from the nearest level, else from the product. */
const botMessages = async (read: ReadModels, bot: Row, locale: string): Promise<ReadonlyMap<string, string>> => {
  const place = { entity: 'bot', id: bot.id } as const
  const matrix = await read.messages(SYSTEM_SCOPE, { place, locales: [locale], page: 1, size: MAX_CODES })
  const written = (matrix?.items ?? []).flatMap(({ code, messages }) => {
    const text = messages[locale]?.text ?? null
    return text === null ? [] : [[code, text] as const]
  })
  const defaults = DEFAULTS[isLanguage(locale) ? locale : 'pt']
  return new Map([...Object.entries(defaults), ...written])
}

const TIMEZONE = 'America/Sao_Paulo'
const idOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const count = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
/** Percent as a share; null leaves the choice to the model. */
const share = (value: Json | undefined): number | null => (typeof value === 'number' ? value / 100 : null)

const taskOf = (row: Row): TaskSetting => ({
  id: row.id,
  name: textOf(row.name),
  principal: idOf(row.principaldialog),
  utterances: stringsOf(row.utterences),
  inMenu: row.showinmenu === true,
})

const variableOf = (row: Row): VariableSetting => ({
  name: textOf(row.name),
  scope: row.scope === 'conversation' || row.scope === 'user' ? row.scope : 'dialog',
  datatype: textOf(row.datatype),
  schema: idOf(row.schema),
  task: idOf(row.task),
  dialog: idOf(row.dialog),
})

const targetOf = (row: Row): MappingTarget | undefined => {
  const [task, dialog, handler] = [idOf(row.target_task), idOf(row.target_dialog), idOf(row.target_handler)]
  switch (row.action) {
    case 'calltask':
      return task === null ? undefined : { action: 'calltask', task }
    case 'calldialog':
      return dialog === null ? undefined : { action: 'calldialog', dialog }
    case 'callhandler':
      return handler === null ? undefined : { action: 'callhandler', handler }
    case 'randomresponses':
      return { action: 'randomresponses', responses: stringsOf(row.responses) }
    default:
      return undefined
  }
}

const TYPES = ['intent', 'intentgroup', 'usermessage', 'channelpayload'] as const

const mappingOf = (row: Row, groups: ReadonlyMap<string, readonly string[]>): readonly MappingSetting[] => {
  const type = TYPES.find(each => each === row.type)
  const target = targetOf(row)
  if (type === undefined || target === undefined) return []
  const of = type === 'intentgroup' ? (groups.get(textOf(row.intentgroup)) ?? []) : [textOf(row[type])]
  const level = row.level === 'task' || row.level === 'dialog' ? row.level : 'bot'
  const within = level === 'task' ? idOf(row.dialogtask) : level === 'dialog' ? idOf(row.dialog) : null
  return [{ type, of, level, within, offOnPrompts: row.disable_on_prompts === true, target }]
}

const openGlobals = (rows: ReadonlyMap<string, Row>): TurnSettings['globals'] =>
  record([...rows].flatMap(([name, { secret, value = null }]) => (secret === true ? [] : [[name, value] as const])))

const schemasOf = (rows: readonly Row[]): TurnSettings['schemas'] =>
  new Map([
    ...Object.entries(SYSTEM_SCHEMAS),
    ...rows.map(({ id, schemajson }) => [id, parseJsonField(schemajson) ?? true] as const),
  ])

/** Sources of a bot's settings. */
export interface SettingsSource {
  readonly read: ReadModels
  readonly nlu: Pick<Nlu, 'responses'>
}

/** Settings of a bot that its NLU project holds: the zone of its clock, and the answers that its model suggests. */
const projectSettings = async (
  { read, nlu }: SettingsSource,
  bot: Row,
): Promise<Pick<TurnSettings, 'timezone' | 'responses'>> => {
  const id = idOf(bot.nluproject)
  const project = id === null ? undefined : await read.detail(SYSTEM_SCOPE, 'nluproject', id)
  if (project === undefined) return { timezone: TIMEZONE, responses: new Map() }
  const responses = await responsesForBot({ read, nlu }, bot).catch(() => undefined)
  return { timezone: textOf(project.timezone) || TIMEZONE, responses: new Map(Object.entries(responses ?? {})) }
}

/** The current settings of a bot that have no publish step (RUNTIME 3). */
export const turnSettings = async (source: SettingsSource, bot: Row, locale: string): Promise<TurnSettings> => {
  const { read } = source
  const own = (entity: string) => allRows(read, SYSTEM_SCOPE, entity, { bot: bot.id })
  const [tasks, variables, mappings, groups, globals, messages, schemas, conversation, project] = await Promise.all([
    own('dialogtask'),
    own('variable'),
    own('intentmapping'),
    own('intentgroup'),
    globalVariables(read, bot),
    botMessages(read, bot, locale),
    own('variableschema'),
    read.detail(SYSTEM_SCOPE, 'conversationsetting', singleId('conversationsetting', bot.id)),
    projectSettings(source, bot),
  ])
  const intents = new Map(groups.map(row => [row.id, stringsOf(row.intents)]))
  return {
    bot: {
      id: bot.id,
      name: textOf(bot.name),
      environment: textOf(bot.deploymentenv),
      locale: textOf(bot.defaultlocale) || 'pt',
    },
    parser: PARSERS.find(parser => parser === bot.expressionparser) ?? 'Jexl',
    pathParser: PATH_PARSERS.find(parser => parser === bot.jsonpathparser) ?? 'JSONPath',
    ...project,
    defaultTask: idOf(bot.defaultdialogtask),
    fallbackTask: idOf(bot.fallbacktask),
    afterAgentTask: idOf(bot.on_return_from_agent_execute_task) ?? idOf(conversation?.agent_default_task),
    afterAgentDialog:
      idOf(bot.on_return_from_agent_execute_task) === null ? idOf(conversation?.agent_default_dialog) : null,
    stepDelay: count(bot.stepdelay, 2000),
    newestButtonsOnly: bot.disable_buttons_from_previous_messages === true,
    nlu: {
      enabled: bot.nluenabled === true,
      offOnPrompts: bot.disable_nlu_on_prompt === true,
      fuzzy: bot.fuzzy_match_enabled === true,
      intentConfidence: share(bot.intentconfidence),
      entityConfidence: share(bot.entityconfidence),
      brain: bot.brainenabled === true,
    },
    agentEnabled: bot.agentenabled === true,
    userTimeout: count(conversation?.usertimeout, 40_000),
    endTimeout: count(conversation?.endconversationtimeout, 120_000),
    affirm: textOf(conversation?.affirm) || 'affirm',
    deny: textOf(conversation?.deny) || 'deny',
    cancel: textOf(conversation?.cancel) || 'cancel',
    goback: textOf(conversation?.goback) || 'goback',
    tasks: new Map(tasks.map(row => [row.id, taskOf(row)])),
    mappings: mappings.flatMap(row => mappingOf(row, intents)),
    variables: variables.map(variableOf),
    globals: openGlobals(globals),
    messages,
    schemas: schemasOf(schemas),
  }
}
