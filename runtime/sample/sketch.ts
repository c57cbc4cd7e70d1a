import type { BlockType } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** A block of a sketch. Keys of sections and blocks name the blocks that links lead to. */
export interface Piece {
  readonly type: BlockType
  readonly title: string
  readonly properties: JsonObject
  /** Target of each output. An output without one leads to the next block of the section. */
  readonly to: Readonly<Record<string, string>>
}

/** A column of blocks under its marker. Column and row count from the top left, in blocks. */
export interface Section {
  readonly key: string
  readonly column: number
  readonly row: number
  readonly pieces: readonly Piece[]
}

/** Annotations: a sheet beside the blocks, or a frame around a section. */
export type Remark =
  | { readonly note: string; readonly text: string; readonly tint: Tint; readonly column: number; readonly row: number }
  | { readonly around: string; readonly title: string; readonly tint: Tint }

type Tint = 'yellow' | 'blue' | 'green' | 'red' | 'grey'

/** A flow as its author thinks of it: sections of blocks, one under the other. */
export type Sketch = readonly Section[]

interface Branch {
  readonly label: string
  /** Section it leads to. */
  readonly to: string
  readonly variable: string
  readonly is?: string
  /** Of a member of a variable, which no declaration tells. */
  readonly datatype?: string
  readonly values?: readonly string[]
  /** A variable that it is compared with, instead of values. */
  readonly than?: string
}

type Question = {
  readonly options?: readonly string[]
  readonly kind?: string
  readonly validation?: string
  readonly style?: 'auto' | 'button' | 'inline' | 'list'
  readonly retry?: string
  /** Section for those who do not answer. */
  readonly giveup?: string
  /** Asked instead where the variable has a value already. */
  readonly kept?: string
  /** The only intents that may take over from it. */
  readonly only?: readonly string[]
}

const piece = (type: BlockType, title: string, properties: JsonObject = {}, to: Piece['to'] = {}): Piece => ({
  type,
  title,
  properties,
  to,
})

const items = (values: readonly JsonObject[], prefix: string): Json =>
  values.map((value, index) => ({ id: `${prefix}${index + 1}`, ...value }))

/** Documents and places that are kept as numbers. */
const NUMBERED = new Set(['CPF', 'CEP'])

const ask = (title: string, text: string, varname: string, question: Question = {}): Piece => {
  const { options = [], validation = 'none', style = 'auto', retry = '', giveup = 'excecoes', kept, only } = question
  const kind = question.kind ?? (options.length > 0 ? 'choice' : NUMBERED.has(validation) ? 'number' : 'text')
  const labels = options.map(label => ({ label, value: label }))
  return piece(
    'prompt',
    title,
    {
      varname,
      retryPrompt: retry,
      ...(kept === undefined ? {} : { suggestionWhenDataAlreadyAvailable: kept }),
      ...(only === undefined ? {} : { overrideIntentHandler: true, overrideIntents: [...only] }),
      data: { type: kind, text, options: items(labels, 'o'), config: { listStyle: style }, validationType: validation },
    },
    { output_giveup: giveup },
  )
}

const branch = (title: string, branches: readonly Branch[], otherwise?: string): Piece => {
  const conditions = branches.map(
    ({ label, variable, datatype, is = 'equals', than = '', values = than === '' ? [label] : [] }) => ({
      label,
      rules: [
        {
          id: 'r1',
          source: 'variable',
          variable,
          ...(datatype === undefined ? {} : { datatype }),
          comparison: is,
          values: [...values],
          valueVariable: than,
          dateUnit: '',
        },
      ],
    }),
  )
  const ways = branches.map(({ to }, index) => [`b${index + 1}`, to] as const)
  const rest = otherwise === undefined ? {} : { output_default: otherwise }
  return piece('condition', title, { conditions: items(conditions, 'b') }, { ...Object.fromEntries(ways), ...rest })
}

type Call = {
  readonly input?: Json
  readonly result: string
  readonly fails?: string
  /** Variable of an error. */
  readonly error?: string
  /** Value of the header `Authorization`; empty: none. */
  readonly token?: string
}

const TOKEN = 'Bearer {{token_integracao}}'

const call = (
  title: string,
  method: string,
  url: string,
  { input, result, fails = 'erro', error = 'erro_integracao', token = TOKEN }: Call,
): Piece =>
  piece(
    'restservice',
    title,
    {
      methodType: method,
      url,
      headers: items(token === '' ? [] : [{ name: 'Authorization', value: token }], 'h'),
      input: input === undefined ? '' : JSON.stringify(input, null, 2),
      resultVariable: result,
      errorVariable: error,
    },
    { output_error: fails },
  )

const set = (title: string, values: Readonly<Record<string, string>>): Piece =>
  piece('assignvariables', title, {
    variables: items(
      Object.entries(values).map(([name, value]) => ({ name, value })),
      'v',
    ),
  })

const script = (title: string, js: string, parameters: readonly string[], result: string): Piece =>
  piece('handler', title, { quickscript: true, js, handlerparameters: [...parameters], resultVariable: result })

type Card = {
  readonly title: string
  readonly text: string
  readonly picture: string
  readonly buttons: readonly string[]
}

const gallery = (title: string, cards: readonly Card[]): Piece =>
  piece('carousel', title, {
    cards: {
      itemType: 'application/vnd.media',
      items: items(
        cards.map(card => ({
          header: {
            type: 'media',
            value: { title: card.title, text: card.text, type: 'image/jpeg', uri: card.picture, aspectRatio: '16:9' },
          },
          options: items(
            card.buttons.map(label => ({ type: 'imBack', title: label, value: label })),
            'a',
          ),
        })),
        'c',
      ),
    },
  })

type Media = {
  readonly kind?: string
  readonly text: string
  readonly uri: string
  readonly buttons?: readonly string[]
}

const media = (title: string, { kind = 'Animation', text, uri, buttons = [] }: Media): Piece =>
  piece('mediacard', title, {
    mediaCardType: kind,
    media: { title, text, type: kind === 'Video' ? 'video/mp4' : 'image/png', uri, aspectRatio: '16:9' },
    buttons: items(
      buttons.map(label => ({ type: 'imBack', title: label, value: label })),
      'a',
    ),
  })

/** Makers of pieces, each named after what it is for. Texts are in the plain-string form of rich text. */
export const sketch = {
  start: (title = 'Início') => piece('start', title),
  mark: (title: string) => piece('marker', title),
  say: (title: string, text: string, to?: string) =>
    piece('text', title, { text }, to === undefined ? {} : { output_1: to }),
  ask,
  branch,
  call,
  set,
  script,
  gallery,
  media,
  handler: (title: string, handler: string, parameters: readonly string[] = []) =>
    piece('handler', title, { quickscript: false, name: handler, handlerparameters: [...parameters] }),
  hours: (title: string, startTime: string, endTime: string, closed: string, saturday = false) =>
    piece(
      'workinghour',
      title,
      { startTime, endTime, state: 'SP', hours: { saturday: { closed: !saturday } } },
      { output_outside: closed },
    ),
  agent: (title: string, queue: string, confirmation: string) =>
    piece('connecttoagent', title, { agentSystem: 'parley', queue, transcript: true, confirmation }),
  task: (title: string, task: string) => piece('gototask', title, { task }),
  end: (title = 'Fim') => piece('enddialog', title),
}
