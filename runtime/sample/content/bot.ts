import type { JsonObject } from '#schemas/event.ts'
import { LANGUAGES, type Language } from '#schemas/language.ts'
import { type IdOf, type SampleStep, sampleStep, type When } from '../plan.ts'

interface Task {
  readonly name: string
  readonly description: string
  readonly utterences: readonly string[]
  readonly showinmenu?: boolean
  /** Key of the main dialog. */
  readonly main: string
  readonly dialogs: Readonly<Record<string, readonly [name: string, description: string]>>
  readonly handlers: Readonly<Record<string, readonly [name: string, description: string, global?: boolean]>>
}

interface BotPlan {
  readonly key: string
  readonly level: string
  readonly by: string
  readonly when: When
  readonly fields: JsonObject
  readonly tasks: Readonly<Record<string, Task>>
  /** Name, data type and, where it is not the conversation's, scope. */
  readonly variables: readonly (readonly [name: string, datatype: string, scope?: string])[]
  readonly schemas: Readonly<Record<string, JsonObject>>
}

/** The steps that create a bot with all its contents, within some minutes. */
export const botDeeds = (id: IdOf, plan: BotPlan): SampleStep[] => {
  const { key, by, when } = plan
  const bot = id('bot', key)
  const make = (entity: string, name: string, input: JsonObject) => sampleStep(when, by, entity, 'create', name, input)
  return [
    make('bot', key, { ...plan.fields, hierarchylevel: id('hierarchy', plan.level) }),
    make('channel', `${key}/site`, { bot, type: 'webchat', name: 'Chat do site' }),
    ...Object.entries(plan.tasks).flatMap(([taskKey, task]) => taskDeeds(id, make, bot, taskKey, task)),
    ...Object.entries(plan.tasks).map(([taskKey, { main }]) =>
      sampleStep(when, by, 'dialogtask', 'change', taskKey, { principaldialog: id('dialog', main) }),
    ),
    ...Object.entries(plan.schemas).map(([name, schemajson]) =>
      make('variableschema', `${key}/${name}`, { bot, name, schemajson }),
    ),
    ...plan.variables.map(([name, datatype, scope = 'conversation']) =>
      make('variable', `${key}/${name}`, { bot, name, datatype, scope, ...schemaOf(id, plan, name) }),
    ),
  ]
}

type Make = (entity: string, name: string, input: JsonObject) => SampleStep

const taskDeeds = (id: IdOf, make: Make, bot: string, key: string, task: Task): SampleStep[] => {
  const { name, description, utterences, showinmenu = true } = task
  const dialogtask = id('dialogtask', key)
  return [
    make('dialogtask', key, { bot, name, description, utterences: [...utterences], showinmenu }),
    ...Object.entries(task.dialogs).map(([dialog, [title, about]]) =>
      make('dialog', dialog, { dialogtask, name: title, description: about }),
    ),
    ...Object.entries(task.handlers).map(([handler, [title, about, global = false]]) =>
      make('handler', handler, { dialogtask, name: title, description: about, global }),
    ),
  ]
}

/** A variable uses the schema with the same name. */
const schemaOf = (id: IdOf, { key, schemas }: BotPlan, name: string): JsonObject =>
  Object.hasOwn(schemas, name) ? { schema: id('variableschema', `${key}/${name}`) } : {}

interface Said {
  readonly when: When
  readonly by: string
  readonly text: string
}

interface Talk {
  /** Key of the dialog, and the block that it is about. */
  readonly dialog: string
  readonly block: string
  /** The first comment and the answers to it. */
  readonly said: readonly [Said, ...Said[]]
  readonly settled?: { readonly when: When; readonly by: string }
}

/** Comment thread on a block. */
export const talkDeeds = (id: IdOf, { dialog, block, said, settled }: Talk): readonly SampleStep[] => {
  const key = (place: number) => `${dialog}/${block}/${place}`
  const first = id('dialogcomment', key(0))
  const comments = said.map(({ when, by, text }, place) =>
    sampleStep(when, by, 'dialogcomment', 'create', key(place), {
      dialog: id('dialog', dialog),
      ...(place === 0 ? { block } : { dialogcomment: first }),
      text,
    }),
  )
  if (settled === undefined) return comments
  return [...comments, sampleStep(settled.when, settled.by, 'dialogcomment', 'resolve', key(0))]
}

const PERSON_WISHES: Readonly<Record<Language, readonly string[]>> = {
  pt: ['quero falar com uma pessoa', 'falar com uma pessoa', 'quero um atendente'],
  en: ['I want to talk to a person', 'talk to a human'],
  es: ['quiero hablar con una persona', 'hablar con un agente'],
}

interface PersonPlan extends Pick<BotPlan, 'key' | 'by' | 'when'> {
  readonly answers: Readonly<Partial<Record<Language, string>>>
}

/** Mappings for those who ask for a person, at any question, in the language that they write in. */
export const personDeeds = (id: IdOf, { key, by, when, answers }: PersonPlan): readonly SampleStep[] =>
  LANGUAGES.flatMap(language =>
    PERSON_WISHES[language].flatMap((usermessage, place) => {
      const answer = answers[language]
      if (answer === undefined) return []
      return sampleStep(when, by, 'intentmapping', 'create', `${key}/pessoa-${language}-${place}`, {
        bot: id('bot', key),
        name: usermessage,
        type: 'usermessage',
        usermessage,
        action: 'randomresponses',
        responses: [answer],
      })
    }),
  )
