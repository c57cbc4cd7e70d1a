import type { Commands } from '#commands/command-handler.ts'
import type {
  MappingSetting,
  MappingTarget,
  TaskSetting,
  TurnSettings,
  VariableSetting,
} from '#domain/conversation/release.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { MESSAGE_LOCALES } from '#schemas/api/message.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import { singleId } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { own, parseJsonField, record } from '#schemas/json.ts'
import { botLanguage, isLanguage, type Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/conversation.json' with { type: 'json' }
import es from '#schemas/locales/es/conversation.json' with { type: 'json' }
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { SYSTEM_SCHEMAS } from '#schemas/system-schema.ts'
import type { Nlu } from '../../nlu/open-nlu.ts'
import { responsesForBot } from '../../nlu/understand-for-bot.ts'

/** A level and its ancestors, root first: later levels override earlier ones. */
export const levelChain = async (read: ReadModels, level: string): Promise<readonly string[]> => {
  const parents = new Map((await read.levels(SYSTEM_SCOPE)).map(({ id, parent }) => [id, parent]))
  const chain: string[] = []
  for (let at: string | null | undefined = level; at && !chain.includes(at); at = parents.get(at)) chain.unshift(at)
  return chain
}

/** The global variables that a bot reads, by name: its own, else those of the nearest level that has one. */
const globalVariables = async (
  read: ReadModels,
  bot: RowOf<'bot'>,
): Promise<ReadonlyMap<string, RowOf<'globalvariable'>>> => {
  const [levels, rows] = await Promise.all([
    levelChain(read, bot.hierarchylevel ?? ''),
    allRows(read, SYSTEM_SCOPE, 'globalvariable'),
  ])
  const ofLevels = levels.flatMap(level => rows.filter(row => row.hierarchylevel === level && row.bot === null))
  const owned = rows.filter(row => row.bot === bot.id)
  return new Map([...ofLevels, ...owned].map(row => [row.name, row] as const))
}

/** Decrypted values of the secret ones, for calls only. */
export const secretVariables = async (
  read: ReadModels,
  commands: Pick<Commands, 'openFields'>,
  bot: RowOf<'bot'>,
): Promise<JsonObject> => {
  const secret = [...(await globalVariables(read, bot))].filter(([, row]) => row.secret)
  const opened = await Promise.all(
    secret.map(async ([name, { id }]) => {
      const fields = await commands.openFields('globalvariable', id)
      return fields === undefined ? [] : [[name, own(fields, 'value') ?? null] as const]
    }),
  )
  return record(opened.flat())
}

const DEFAULTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, es, pt }

/** Codes of one bot, including those of its levels. */
const MAX_CODES = 10_000

/** Standard messages of a bot in a language: from its locale, else from the nearest level, else from the product. */
export const botMessages = async (
  read: ReadModels,
  bot: RowOf<'bot'>,
  locale: string,
): Promise<ReadonlyMap<string, string>> => {
  const place = { entity: 'bot', id: bot.id } as const
  const spoken = botLanguage(bot)
  const isStored = MESSAGE_LOCALES.includes(spoken)
  const stored = !isStored && locale === spoken ? bot.defaultlocale : locale
  // Its own texts in its default locale are in the language that it speaks, those of levels are not.
  const isShared = !isStored && stored === bot.defaultlocale
  const matrix = await read.messages(SYSTEM_SCOPE, { place, locales: [stored], page: 1, size: MAX_CODES })
  const written = (matrix?.items ?? []).flatMap(({ code, messages }) => {
    const { text = null, source = null } = messages[stored] ?? {}
    const isOther = isShared && (source === 'own') !== (locale === spoken)
    return text === null || isOther ? [] : [[code, text] as const]
  })
  const defaults = DEFAULTS[isLanguage(locale) ? locale : 'pt']
  return new Map([...Object.entries(defaults), ...written])
}

const TIMEZONE = 'America/Sao_Paulo'
/** Percent as a share; null leaves the choice to the model. */
const share = (percent: number | null): number | null => (percent === null ? null : percent / 100)

const taskOf = (row: RowOf<'dialogtask'>): TaskSetting => ({
  id: row.id,
  name: row.name,
  principal: row.principaldialog || null,
  utterances: row.utterences,
})

const variableOf = ({ name, scope, datatype, schema, task, dialog }: RowOf<'variable'>): VariableSetting => ({
  ...{ name, scope, datatype },
  ...{ schema: schema || null, task: task || null, dialog: dialog || null },
})

const targetOf = (row: RowOf<'intentmapping'>): MappingTarget | undefined => {
  const { action, target_task: task, target_dialog: dialog, target_handler: handler, responses } = row
  switch (action) {
    case 'calltask':
      return task ? { action, task } : undefined
    case 'calldialog':
      return dialog ? { action, dialog } : undefined
    case 'callhandler':
      return handler ? { action, handler } : undefined
    case 'randomresponses':
      return { action, responses }
  }
}

const mappingOf = (
  row: RowOf<'intentmapping'>,
  groups: ReadonlyMap<string, readonly string[]>,
): readonly MappingSetting[] => {
  const { type, level, disable_on_prompts: offOnPrompts } = row
  const target = targetOf(row)
  if (target === undefined) return []
  const of = type === 'intentgroup' ? (groups.get(row.intentgroup ?? '') ?? []) : [row[type] ?? '']
  const within = { task: row.dialogtask, dialog: row.dialog, bot: null }[level] || null
  return [{ type, of, level, within, offOnPrompts, target }]
}

const openGlobals = (rows: ReadonlyMap<string, RowOf<'globalvariable'>>): TurnSettings['globals'] =>
  record([...rows].flatMap(([name, { secret, value }]) => (secret ? [] : [[name, value] as const])))

const schemasOf = (rows: readonly RowOf<'variableschema'>[]): TurnSettings['schemas'] =>
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
  bot: RowOf<'bot'>,
): Promise<Pick<TurnSettings, 'timezone' | 'responses'>> => {
  const { nluproject: id } = bot
  const project = id ? await read.detail(SYSTEM_SCOPE, 'nluproject', id) : undefined
  if (project === undefined) return { timezone: TIMEZONE, responses: new Map() }
  const responses = await responsesForBot({ read, nlu }, bot).catch(() => undefined)
  return { timezone: project.timezone || TIMEZONE, responses: new Map(Object.entries(responses ?? {})) }
}

/** The current settings of a bot that have no publish step. */
export const turnSettings = async (
  source: SettingsSource,
  bot: RowOf<'bot'>,
  locale: string,
): Promise<TurnSettings> => {
  const { read } = source
  const own = <N extends EntityName>(entity: N) => allRows(read, SYSTEM_SCOPE, entity, { bot: bot.id })
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
  const intents = new Map(groups.map(row => [row.id, row.intents]))
  return {
    bot: {
      id: bot.id,
      name: bot.name,
      environment: bot.deploymentenv,
      locale: botLanguage(bot),
    },
    parser: bot.expressionparser,
    pathParser: bot.jsonpathparser,
    ...project,
    defaultTask: bot.defaultdialogtask || null,
    fallbackTask: bot.fallbacktask || null,
    afterAgentTask: bot.on_return_from_agent_execute_task || conversation?.agent_default_task || null,
    afterAgentDialog: bot.on_return_from_agent_execute_task ? null : conversation?.agent_default_dialog || null,
    stepDelay: bot.stepdelay,
    newestButtonsOnly: bot.disable_buttons_from_previous_messages,
    nlu: {
      enabled: bot.nluenabled,
      offOnPrompts: bot.disable_nlu_on_prompt,
      fuzzy: bot.fuzzy_match_enabled,
      intentConfidence: share(bot.intentconfidence),
      entityConfidence: share(bot.entityconfidence),
      brain: bot.brainenabled,
    },
    agentEnabled: bot.agentenabled,
    userTimeout: conversation?.usertimeout ?? 40_000,
    endTimeout: conversation?.endconversationtimeout ?? 120_000,
    affirm: conversation?.affirm || 'affirm',
    deny: conversation?.deny || 'deny',
    cancel: conversation?.cancel || 'cancel',
    goback: conversation?.goback || 'goback',
    tasks: new Map(tasks.map(row => [row.id, taskOf(row)])),
    mappings: mappings.flatMap(row => mappingOf(row, intents)),
    variables: variables.map(variableOf),
    globals: openGlobals(globals),
    messages,
    schemas: schemasOf(schemas),
  }
}
